import { randomInt } from 'node:crypto'
import type { CardDetails, FormConnector } from '../../src/core/networks/connector.ts'
import type { HostedConnector } from '../../src/core/networks/hosted.ts'
import { readCharged } from './networks/test-network-records.ts'
import { makeTestBank } from '../../src/core/test-network/bank/bank.ts'
import { decide, type Decision } from '../../src/core/test-network/bank/decide.ts'
import { readPages, readPaidPages } from './networks/test-bank-records.ts'
import { makeTestNetwork } from '../../src/core/test-network/network.ts'
import { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listAttempts, type AttemptRow } from '../../src/core/payments/attempts/attempt-store.ts'
import { makeOutbox } from '../../src/core/notifications/outbox.ts'
import { makePayer, type Payable, type Payer } from '../../src/core/payments/attempts/pay.ts'
import type { Core } from '../../src/platform/jobs/core.ts'
import { makePaying, type Paying, type PayingDeps } from '../../src/core/payments/attempts/paying.ts'
import { dailyTotals } from '../../src/core/payments/daily-totals/count-totals.ts'
import { indexAgain } from '../../src/core/payments/search/index-payments.ts'
import { insertPayments } from '../../src/core/payments/create-store.ts'
import { paymentColumns, type PaymentKey, type PaymentRow } from '../../src/core/payments/store.ts'
import { createTestDatabase } from './database.ts'
import { newPayment } from './twins.ts'

// Payments without HTTP: a database, the test network, and one clock for both that stands still until the test moves it.

export type Till = {
  readonly db: Database
  readonly network: FormConnector
  /** A network with a page of its own. */
  readonly bank: HostedConnector
  readonly core: Core
  readonly paying: Paying
  readonly payer: Payer
  readonly merchantId: number
  forward(ms: number): void
  /** Back to the hour in which the till was opened. */
  rewind(): void
  newPayment(mode?: 'test' | 'live', merchantId?: number): Promise<Payable>
  read(key: PaymentKey): Promise<PaymentRow>
  attempts(key: PaymentKey): Promise<AttemptRow[]>
  /** How many times the network took the money, by its own books. */
  timesCharged(key: PaymentKey): Promise<number>
  /** What the customer does on the page of the test bank that is open for this payment; false: none is. */
  onPage(key: PaymentKey, decision: Decision): Promise<boolean>
  /** What the bank took and did not send back, by its own books. */
  bankKeeps(key: PaymentKey): Promise<bigint>
  /** The same till with another bank in the place of the test bank. */
  withBank(changes: Partial<HostedConnector>, more?: Partial<PayingDeps>): Paying
  /** The same till with another network in the place of the test network: one that loses answers, say. */
  with(changes: Partial<FormConnector>): Paying
  /** Moves that were counted for operators, such as "test test-network succeeded", and "test success" of payments. */
  counted(): readonly string[]
  log(): string
  close(): Promise<void>
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export async function openTill(): Promise<Till> {
  const database = await createTestDatabase()
  const db = new Database(database.url)
  const merchantId = await createMerchant(db, { name: 'Corner shop', liveEnabled: true })
  const lines: string[] = []
  const openedMs = Date.now()
  let nowMs = openedMs
  const now = (): Date => new Date(nowMs)
  const counted: string[] = []
  const { network, bank, deps } = furnishTill(db, now, (line) => void lines.push(line), counted)
  const paying = makePaying(deps)
  return {
    db,
    network,
    bank,
    core: { db, log: deps.log, now: deps.now },
    paying,
    payer: makePayer(paying),
    merchantId,
    forward(ms) {
      nowMs += ms
    },
    rewind() {
      nowMs = openedMs
    },
    newPayment: async (mode = 'test', of = merchantId) => insertPayment(db, of, mode),
    async read(key) {
      const [payment] = await db.query<PaymentRow>(sql`
        select ${paymentColumns} from payments where merchant_id = ${key.merchantId} and number = ${key.number}`)
      if (!payment) throw new Error('There is no such payment')
      return payment
    },
    attempts: async (key) => listAttempts(db, key),
    timesCharged: async (key) => (await readCharged(db, key)).length + (await readPaidPages(db, key)).length,
    async onPage(key, decision) {
      const pages = await readPages(db, key)
      const page = pages.findLast(({ state }) => state === 'open') ?? pages.at(-1)
      return page !== undefined && decide(db, { ...key, reference: page.reference }, decision, now())
    },
    async bankKeeps(key) {
      const pages = await readPaidPages(db, key)
      return pages.reduce((sum, page) => sum + (page.amount_minor ?? 0n) - page.refundedMinor, 0n)
    },
    withBank: (changes, more = {}) =>
      makePaying({ ...deps, connectors: [network, { ...bank, ...changes }], ...more }),
    with: (changes) => makePaying({ ...deps, connectors: [{ ...network, ...changes }, bank] }),
    counted: () => counted,
    log: () => lines.join(''),
    async close() {
      await db.close()
      await database.drop()
    },
  }
}

/** What a till pays with, on any database: also for a process of its own. */
export function furnishTill(
  db: Database,
  now: () => Date,
  write: (line: string) => void,
  counted: string[] = [],
) {
  const network = makeTestNetwork(db, now)
  const bank = makeTestBank(db, 'http://127.0.0.1:3000', now)
  const deps = {
    db,
    outbox: makeOutbox(),
    connectors: [network, bank],
    accounts: { of: async () => [], byId: async () => undefined },
    merchantName: async () => 'Corner shop',
    isSuspended: async () => false,
    totals: dailyTotals,
    reworded: indexAgain,
    metrics: {
      trouble: () => {},
      paymentMoved: (mode, state) => void counted.push(`${mode} ${state}`),
      attemptMoved: ({ mode, connector, outcome }) => void counted.push(`${mode} ${connector} ${outcome}`),
    },
    baseUrl: 'http://127.0.0.1:3000',
    now,
    log: makeLog('info', { write }),
  } satisfies PayingDeps
  return { network, bank, deps }
}

export function cardOf(number: string): CardDetails {
  return { number, expiryMonth: 12, expiryYear: 2099, cvc: '123' }
}

export const cards = {
  good: cardOf('4242 4242 4242 4242'),
  challenge: cardOf('4000 0000 0000 3220'),
  declined: cardOf('4000 0000 0000 0002'),
  timeOutPaid: cardOf('4000 0000 0000 5043'),
  timeOutNotPaid: cardOf('4000 0000 0000 5050'),
  refundLater: cardOf('4000 0000 0000 7726'),
  refundFails: cardOf('4000 0000 0000 5126'),
  real: cardOf('4012 8888 8888 1881'),
} as const

async function insertPayment(db: Database, merchantId: number, mode: 'test' | 'live'): Promise<Payable> {
  const number = Array.from({ length: 24 }, () => randomInt(10)).join('')
  await insertPayments(db, merchantId, [newPayment({ merchant_id: merchantId, number, mode })])
  return { merchantId, number, mode }
}
