import { recordAct, type Actor } from '../../../core/audit/audit.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { brokenRule } from '../../../platform/errors/refusals.ts'
import { csvLine } from '../../../platform/http/csv/csv-line.ts'
import { findPaymentsByNumber } from '../../../core/payments/find-payment.ts'
import { readMissingFees, type NotReported } from '../figures/money-totals.ts'
import {
  listConnectors,
  listLines,
  listPayoutMoves,
  sumLines,
  type LineRow,
  type Period,
  type PayoutMoveRow,
  type SumRow,
} from './bookkeeping-store.ts'
import {
  bookingsOfLine,
  bookingsOfPayout,
  type Accounts,
  type ExportedLine,
  type PayoutMove,
} from './bookings.ts'
import { datevBookingsMax, datevHead, datevLine, isDatevCurrency, type DatevHeader } from './datev.ts'
import { generalColumns, lineCells, notBookedCells, payoutCells } from './general-csv.ts'
import { movementColumns, readMovements } from './movements-file.ts'
import { describePayment, readPending, takenBack } from './pending.ts'
import { missingForDatev, readBookkeeping, type Bookkeeping } from './settings.ts'
import { toWindows1252 } from './windows-1252.ts'

// A period as a file, page by page: only one page is in memory, however many lines there are.

export const exportFormats = ['csv', 'datev', 'movements'] as const
export type ExportFormat = (typeof exportFormats)[number]

export type { NotReported }
export type { Period, SumRow } from './bookkeeping-store.ts'

export type ExportFile = {
  readonly filename: string
  readonly type: string
  readonly pieces: AsyncIterable<Buffer>
}

const pageSize = 500 // No test: any number of rows at once will do
/** The first piece holds the first page: a database that is away is an error, not half a file. */
const csvType = 'text/csv; charset=utf-8; header=present'
const datevType = 'text/csv; charset=windows-1252'

/** What networks booked in a period, by network, currency and kind. A month's fees match the network's invoice. */
export async function sumPeriod(db: Database, period: Period): Promise<SumRow[]> {
  checkPeriod(period)
  return sumLines(db, period)
}

/** Exports of personal data are audited. Throws the refusal before a line is read. */
export async function exportPeriod(
  db: Database,
  format: ExportFormat,
  period: Period,
  { by, now }: { readonly by: Actor; readonly now: Date },
): Promise<ExportFile> {
  checkPeriod(period)
  const { merchantId, mode, from, to } = period
  const file = format === 'datev' ? await datevFile(db, period, now) : files[format](db, period)
  const { currency } = period
  await inTransaction(db, async (tx) =>
    recordAct(tx, merchantId, by, {
      action: 'bookkeeping.exported',
      subject: String(merchantId),
      after: { mode, format, from, to, ...(currency !== '' && { currency }) },
    }),
  )
  return file
}

function checkPeriod({ from, to }: Period): void {
  for (const [name, day] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (
      !/^\d{4}-\d\d-\d\d$/.test(day) ||
      Number.isNaN(Date.parse(day)) ||
      new Date(day).toISOString().slice(0, 10) !== day
    )
      throw brokenRule(name, `${name} must be a day such as 2026-11-30`)
  if (from > to) throw brokenRule('to', 'to must not be before from')
}

function generalFile(db: Database, period: Period): ExportFile {
  async function* write(): AsyncGenerator<Buffer> {
    let head = csvLine(generalColumns)
    for await (const lines of readAll(db, period)) {
      yield Buffer.from(head + lines.map((line) => csvLine(lineCells(line))).join(''))
      head = ''
    }
    const moves = await listPayoutMoves(db, period)
    const rows = moves.map((row) => csvLine(payoutCells(moveOf(row), row.state === 'returned')))
    const notBooked = (await readNotBooked(db, period)).map((one) => csvLine(notBookedCells(one)))
    yield Buffer.from(head + [...rows, ...notBooked].join(''))
  }
  const { mode, from, to } = period
  return { filename: `bookkeeping-${mode}-${from}-${to}.csv`, type: csvType, pieces: write() }
}

function movementsFile(db: Database, period: Period): ExportFile {
  async function* write(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvLine(movementColumns))
    for await (const rows of readMovements(db, period, readFees(db, period)))
      if (rows.length > 0) yield Buffer.from(rows.map((cells) => csvLine(cells)).join(''))
  }
  const { mode, from, to } = period
  return { filename: `movements-${mode}-${from}-${to}.csv`, type: csvType, pieces: write() }
}

async function* readFees(db: Database, period: Period): AsyncGenerator<ExportedLine[]> {
  for await (const lines of readLines(db, period, new Set()))
    yield lines.filter(({ feeMinor, taxMinor }) => feeMinor !== 0n || taxMinor !== 0n)
}

const files = { csv: generalFile, movements: movementsFile } as const

async function datevFile(db: Database, period: Period, now: Date): Promise<ExportFile> {
  const { currency, from, to } = period
  if (!isDatevCurrency(currency))
    throw brokenRule(
      'currency',
      'currency is required, and must have at most two decimals: a DATEV file has one currency',
    )
  const settings = await readBookkeeping(db, period.merchantId)
  const sums = await sumLines(db, period)
  const moves = await listPayoutMoves(db, period)
  const pending = await countPending(db, period)
  const connectors = new Set([...sums, ...moves, ...pending.connectors].map(({ connector }) => connector))
  const lacking = missingForDatev(settings, connectors, needsOther(sums))
  if (lacking.length > 0)
    throw brokenRule('form', `Set these in the bookkeeping settings first: ${lacking.join(', ')}`)
  const accountsOf = accountsIn(settings)
  const count = sums.reduce((sum, row) => sum + row.booking_count, moves.length + pending.count)
  if (count > datevBookingsMax)
    throw brokenRule(
      'to',
      `DATEV takes ${datevBookingsMax.toLocaleString('en')} bookings in a file, and these are ${count.toLocaleString('en')}: choose a shorter period`,
    )
  const header = headerOf(settings, period, now)
  async function* write(): AsyncGenerator<Buffer> {
    let head = datevHead(header)
    for await (const lines of readAll(db, period)) {
      const bookings = lines.flatMap((line) => bookingsOfLine(line, accountsOf(line.connector)))
      yield toWindows1252(head + bookings.map((booking) => datevLine(booking, currency)).join(''))
      head = ''
    }
    const bookings = moves.map(moveOf).flatMap((move) => bookingsOfPayout(move, accountsOf(move.connector)))
    yield toWindows1252(head + bookings.map((booking) => datevLine(booking, currency)).join(''))
  }
  // DATEV offers files for import whose names begin with EXTF_.
  return { filename: `EXTF_Florin_${currency}_${from}_${to}.csv`, type: datevType, pieces: write() }
}

type Pending = { readonly count: number; readonly connectors: readonly { readonly connector: string }[] }

async function countPending(db: Database, period: Period): Promise<Pending> {
  let count = 0
  const connectors = new Set<string>()
  for await (const lines of readAll(db, period))
    for (const { kind, connector } of lines)
      if (kind === 'payment_pending') {
        count += 1
        connectors.add(connector)
      }
  return { count, connectors: [...connectors].map((connector) => ({ connector })) }
}

function headerOf(settings: Bookkeeping, { from, to, currency }: Period, madeAt: Date): DatevHeader {
  const { consultantNumber = 0, clientNumber = 0, fiscalYearMonth, accountLength, chart } = settings
  const fiscalYearStart = fiscalYearOf(from, fiscalYearMonth)
  if (fiscalYearOf(to, fiscalYearMonth) !== fiscalYearStart)
    throw brokenRule('to', 'to must be in the same fiscal year as from: DATEV takes one year in a file')
  const name = `Florin ${from} ${to}`
  return {
    consultantNumber,
    clientNumber,
    fiscalYearStart,
    accountLength,
    from,
    to,
    name,
    currency,
    chart,
    madeAt,
  }
}

/** The first day of the fiscal year that a day is in. */
export function fiscalYearOf(day: string, firstMonth: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return `${month >= firstMonth ? year : year - 1}-${String(firstMonth).padStart(2, '0')}-01`
}

export function needsOther(sums: readonly Pick<SumRow, 'kind'>[]): boolean {
  return sums.some(({ kind }) => kind === 'adjustment' || kind === 'difference')
}

function accountsIn({ accounts, clearing }: Bookkeeping): (connector: string) => Accounts {
  const { sales = '', fees = '', fee_tax: feeTax = fees, other = '', bank = '' } = accounts
  return (connector) => ({ sales, fees, feeTax, other, bank, clearing: clearing[connector] ?? '' })
}

/** What networks booked, and sales that wait for a booking. */
async function* readAll(db: Database, period: Period): AsyncGenerator<ExportedLine[]> {
  const connectors = new Set(await listConnectors(db, period.merchantId, period.mode))
  yield* readLines(db, period, connectors)
  yield* readPending(db, period, connectors)
}

/** Lines of all currencies are read: a sale that waited may have been booked in another one than the customer paid. */
async function* readLines(
  db: Database,
  period: Period,
  connectors: ReadonlySet<string>,
): AsyncGenerator<ExportedLine[]> {
  const { merchantId, mode, currency } = period
  let last: LineRow | undefined
  do {
    const after = last && { bookedAt: last.booked_at, accountId: last.account_id, reference: last.reference }
    const rows = await listLines(db, { ...period, currency: '' }, { after, limit: pageSize })
    const numbers = [...new Set(rows.flatMap(({ number }) => number ?? []))]
    const payments = await findPaymentsByNumber(db, merchantId, mode, numbers)
    yield rows.flatMap((row) => {
      const payment = payments.get(row.number ?? '')
      const line = { ...lineOf(row), ...describePayment(payment) }
      const pending = payment && row.kind === 'payment' ? takenBack(payment, row.day, period, connectors) : []
      return currency === '' || row.currency === currency ? [...pending, line] : pending
    })
    last = rows.length === pageSize ? rows.at(-1) : undefined
  } while (last)
}

/** Paid payments of the period without a booking, as of now. */
export async function readNotBooked(db: Database, period: Period): Promise<NotReported[]> {
  checkPeriod(period)
  return readMissingFees(db, period)
}

function lineOf(row: LineRow): Omit<ExportedLine, 'txRef' | 'paymentReference' | 'customer'> {
  return {
    connector: row.connector,
    kind: row.kind,
    type: row.type,
    day: row.day,
    currency: row.currency,
    grossMinor: row.gross_minor,
    feeMinor: row.fee_minor,
    taxMinor: row.tax_minor,
    netMinor: row.net_minor,
    originalMinor: row.original_minor,
    originalCurrency: row.original_currency,
    exchangeRate: row.exchange_rate,
    reference: row.reference,
    payoutId: row.payout_id ?? '',
    arrivesOn: row.arrives_on ?? '',
    bankReference: row.bank_reference ?? '',
  }
}

function moveOf(row: PayoutMoveRow): PayoutMove {
  const { connector, id, reference, day, currency } = row
  const amountMinor = row.state === 'returned' ? -row.amount_minor : row.amount_minor
  return { connector, id, reference, bankReference: row.bank_reference ?? '', day, currency, amountMinor }
}
