import { isCurrency } from '../../../platform/money/currencies.ts'
import { makeEntryKeys, UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { makeCsvReader, separatorOf, type CsvReader } from './csv-rows.ts'
import { orderShownBy, readAmount, readDay, type DateOrder } from './read-figures.ts'
import { noteUnread, quoted, type Reading } from './reading.ts'

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
/** Some months of a busy account. */
const waitingMax = 200_000

type Row = { readonly cells: readonly string[]; readonly line: number }

/** `currency` is for files that name none. */
export function makeBankCsvReader(
  beginning: string,
  currency: string | undefined,
  take: (entry: BankEntry) => void,
  reading: Reading,
): CsvReader {
  const keyed = makeEntryKeys()
  const dates = makeDateOrders()
  let columns: Columns | undefined
  let rowCount = 0
  // Rows wait for the first date that shows which is the day and which the month, if need be to the end of the file.
  let waiting: Row[] = []

  function readRow({ cells, line }: Row): void {
    if (!columns) return // No test: no row is read before the headings
    const facts = readFields(cells, columns, currency, dates.order ?? 'day_first')
    if ('why' in facts) noteUnread(reading, `line ${line}`, facts.why)
    else take(keyed(facts))
  }

  function readWaiting(): void {
    waiting.forEach(readRow)
    waiting = []
  }

  const rows = makeCsvReader(separatorOf(beginning), (cells, line) => {
    rowCount += 1
    if (!columns) {
      columns = columnsOf(cells)
      if (!columns && rowCount >= headerRowMax) throw noHeader()
      return
    }
    const shown = dates.see(cells[columns.date ?? 0] ?? '', line)
    if (dates.order !== undefined) readWaiting()
    const waits = dates.order === undefined && (shown === 'either' || waiting.length > 0)
    if (waits && waiting.length === waitingMax)
      throw new UnreadableStatement(
        'Every date of the file can be read with the day or the month first. Upload it month by month',
      )
    if (waits) waiting.push({ cells, line })
    else readRow({ cells, line })
  })
  return {
    write: (piece) => rows.write(piece),
    end() {
      rows.end()
      if (!columns) throw noHeader()
      reading.isDayFirstAssumed = waiting.length > 0
      readWaiting()
    },
  }
}

/** All dates of a file have one order. */
function makeDateOrders() {
  let first: { readonly order: DateOrder; readonly place: string } | undefined
  return {
    get order(): DateOrder | undefined {
      return first?.order
    },
    see(text: string, line: number): ReturnType<typeof orderShownBy> {
      const shown = orderShownBy(text)
      if (shown === undefined || shown === 'either') return shown
      first ??= { order: shown, place: `${quoted(text)} in line ${line}` }
      if (first.order !== shown)
        throw new UnreadableStatement(
          `Some dates of the file begin with the day and some with the month: ${first.place}, ${quoted(text)} in line ${line}`,
        )
      return shown
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

/** `why`: for rows that are no entries, such as sums, and payments that were not booked. */
function readFields(
  cells: readonly string[],
  columns: Columns,
  fallback: string | undefined,
  order: DateOrder,
): Facts | { readonly why: string } {
  const cell = (column: Column): string => cells[columns[column] ?? -1] ?? ''
  if (/^(pending|declined|reverted|failed|vorgemerkt)/i.test(cell('status')))
    return { why: `it is not booked: ${quoted(cell('status'))}` }
  const date = cell('date')
  const bookedOn = readDay(date, order)
  if (bookedOn === undefined) return { why: date === '' ? 'it has no date' : `${quoted(date)} is no date` }
  const currency = currencyOf(cell('currency'), columns, fallback)
  const amountMinor = amountOf(cell, columns, currency)
  if (typeof amountMinor === 'string')
    return {
      why: amountMinor === '' ? 'it has no amount' : `${quoted(amountMinor)} is no amount in ${currency}`,
    }
  const figures = [columns.date, columns.amount, columns.in, columns.out, columns.currency, columns.account]
  const texts = cells.filter((text, at) => text !== '' && !figures.includes(at))
  const account = cell('account')
    .replace(/[\s\p{C}]/gu, '')
    .slice(0, 50)
  return { account, bookedOn, amountMinor, currency, texts, bankName: '' }
}

/** As text, if it can't be read. */
function amountOf(cell: (column: Column) => string, columns: Columns, currency: string): bigint | string {
  if (columns.amount !== undefined) {
    const minor = readAmount(cell('amount'), currency)
    if (minor === undefined) return cell('amount')
    const isOut = /^(s|d|dr|debit|soll|dbit)$/i.test(cell('side'))
    return isOut && minor > 0n ? -minor : minor
  }
  const [paidIn, paidOut] = [cell('in'), cell('out')].map((text) =>
    // Some banks fill the column that doesn't count with a dash.
    /\d/.test(text) ? (readAmount(text, currency) ?? text) : undefined,
  )
  const odd = [paidIn, paidOut].find((one) => typeof one === 'string')
  if (typeof odd === 'string') return odd
  if (typeof paidIn === 'bigint' && paidIn !== 0n) return paidIn
  if (typeof paidOut !== 'bigint') return paidIn ?? ''
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
