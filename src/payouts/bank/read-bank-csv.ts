import { isCurrency } from '../../money/currencies.ts'
import { makeEntryKeys, UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { makeCsvReader, separatorOf, type CsvReader } from './csv-rows.ts'
import { orderOf, readAmount, readDay, type DateOrder } from './read-figures.ts'

// The list of entries that banks let people download as CSV. Each bank has its own columns: they are found by their names, in
// English and in German. Everything that is no date, amount or currency may hold a reference.

type Column = 'date' | 'amount' | 'in' | 'out' | 'currency' | 'account' | 'side' | 'status'

const names: Readonly<Record<Column, RegExp>> = {
  date: /^(booking ?date|posting ?date|posted( date)?|transaction date|completed( date)?( \(utc\))?|date( completed| posted)?( \(utc\))?|buchungstag|buchungsdatum|buchung|datum)$/,
  amount:
    /^(amount|value|transaction amount|betrag|umsatz|buchungsbetrag)( ?\(?(in )?(gbp|eur|usd|chf|[a-z]{3}|€|£|\$)\)?)?$/,
  in: /^(paid in|money in|credits?( amount)?|credited|deposits?|haben|gutschrift|eingang)( ?\(?(in )?([a-z]{3}|€|£|\$)\)?)?$/,
  out: /^(paid out|money out|debits?( amount)?|debited|withdrawals?|soll|lastschrift|ausgang)( ?\(?(in )?([a-z]{3}|€|£|\$)\)?)?$/,
  currency: /^(currency|ccy|währung|waehrung|payment currency|kontowährung)$/,
  account:
    /^(account( number| no\.?| name)?|iban|iban auftragskonto|auftragskonto|kontonummer|iban kontoinhaber)$/,
  side: /^(type|credit\/debit|debit\/credit|dr\/cr|soll\/haben|s\/h|kennzeichen)$/,
  status: /^(state|status|umsatzstatus)$/,
}

type Columns = Partial<Record<Column, number>> & { readonly headings: readonly string[] }

const headerRowMax = 40
const samplesMax = 500

/** `currency` is for files that name none. */
export function makeBankCsvReader(
  beginning: string,
  currency: string | undefined,
  take: (entry: BankEntry) => void,
): CsvReader {
  const keyed = makeEntryKeys()
  let columns: Columns | undefined
  let rowCount = 0
  // The first rows wait until the order of day and month is known.
  let waiting: string[][] | undefined = []
  let order: DateOrder = 'day_first'

  function readRow(cells: readonly string[]): void {
    if (!columns) return // No test: no row is read before the headings
    const facts = readFields(cells, columns, currency, order)
    if (facts) take(keyed(facts))
  }

  function readWaiting(): void {
    const dateAt = columns?.date ?? 0
    order = orderOf((waiting ?? []).map((cells) => cells[dateAt] ?? ''))
    const rows = waiting ?? []
    waiting = undefined
    rows.forEach(readRow)
  }

  const rows = makeCsvReader(separatorOf(beginning), (cells) => {
    rowCount += 1
    if (!columns) {
      columns = columnsOf(cells)
      if (!columns && rowCount >= headerRowMax) throw noHeader()
      return
    }
    if (!waiting) return readRow(cells)
    waiting.push(cells)
    if (waiting.length >= samplesMax) readWaiting()
  })
  return {
    write: (piece) => rows.write(piece),
    end() {
      rows.end()
      if (!columns) throw noHeader()
      if (waiting) readWaiting()
    },
  }
}

function noHeader(): UnreadableStatement {
  return new UnreadableStatement(
    'The file has no row with a date and an amount among its headings. Get a camt.053 from your bank, or a CSV with headings',
  )
}

function columnsOf(cells: readonly string[]): Columns | undefined {
  const headings = cells.map((cell) => cell.toLowerCase().replace(/\s+/g, ' ').trim())
  const find = (column: Column): number | undefined => {
    const at = headings.findIndex((heading) => names[column].test(heading))
    return at === -1 ? undefined : at
  }
  const found = Object.fromEntries(
    Object.keys(names).flatMap((name) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record of columns
      const at = find(name as Column)
      return at === undefined ? [] : [[name, at] as const]
    }),
  )
  const columns: Columns = { headings, ...found }
  const hasAmount = columns.amount !== undefined || (columns.in !== undefined && columns.out !== undefined)
  return columns.date !== undefined && hasAmount ? columns : undefined
}

type Facts = Parameters<ReturnType<typeof makeEntryKeys>>[0]

/** Undefined for rows that are no entries: sums, blanks, payments that were not booked. */
function readFields(
  cells: readonly string[],
  columns: Columns,
  fallback: string | undefined,
  order: DateOrder,
): Facts | undefined {
  const cell = (column: Column): string => cells[columns[column] ?? -1] ?? ''
  const bookedOn = readDay(cell('date'), order)
  if (bookedOn === undefined || /^(pending|declined|reverted|failed|vorgemerkt)/i.test(cell('status')))
    return undefined
  const currency = currencyOf(cell('currency'), columns, fallback)
  const amountMinor = amountOf(cell, columns, currency)
  if (amountMinor === undefined) return undefined
  const figures = [columns.date, columns.amount, columns.in, columns.out, columns.currency, columns.account]
  const texts = cells.filter((text, at) => text !== '' && !figures.includes(at))
  const account = cell('account')
    .replace(/[\s\p{C}]/gu, '')
    .slice(0, 50)
  return { account, bookedOn, amountMinor, currency, texts, bankName: '' }
}

function amountOf(cell: (column: Column) => string, columns: Columns, currency: string): bigint | undefined {
  if (columns.amount !== undefined) {
    const minor = readAmount(cell('amount'), currency)
    const isOut = /^(s|d|dr|debit|soll|dbit)$/i.test(cell('side'))
    return minor !== undefined && isOut && minor > 0n ? -minor : minor
  }
  const paidIn = readAmount(cell('in'), currency)
  const paidOut = readAmount(cell('out'), currency)
  if (paidIn !== undefined && paidIn !== 0n) return paidIn
  if (paidOut === undefined) return paidIn
  return paidOut > 0n ? -paidOut : paidOut
}

const signs: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' }

function currencyOf(
  typed: string,
  { headings, amount, in: paidIn }: Columns,
  fallback: string | undefined,
): string {
  const heading = headings[amount ?? paidIn ?? -1] ?? ''
  const named = /[\s(]([a-z]{3}|€|£)\)?$/.exec(heading)?.[1] ?? ''
  const codes = [typed, signs[typed] ?? '', signs[named] ?? '', named, fallback ?? '']
  const code = codes.map((one) => one.toUpperCase()).find(isCurrency)
  if (code === undefined)
    throw new UnreadableStatement(
      'The file does not say which currency its amounts are in. Choose the currency',
    )
  return code
}
