import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cornerShop } from '../../test/support/corner-shop.ts'
import { openTill, type Till } from '../../test/support/till.ts'
import { Database, type Row } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import type { PaymentRequest } from './api/read-payment.ts'
import { makeCreatePayment, type Payee } from './create-payment.ts'
import { checkoutUrl } from './present.ts'

/** Commits the first insert and loses its answer; from then on it fails as it is told, or works. */
class FailingDatabase extends Database {
  asked = 0
  readonly #first: Error
  readonly #later: Error | undefined
  constructor(url: string, first: Error, later?: Error) {
    super(url)
    this.#first = first
    this.#later = later
  }
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    if (!statement.text.includes('insert')) return super.query<R>(statement)
    this.asked += 1
    if (this.asked > 1 && this.#later) throw this.#later
    const rows = await super.query<R>(statement)
    if (this.asked > 1) return rows
    throw this.#first
  }
}

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const baseUrl = 'http://127.0.0.1'
const payee = (): Payee => ({ mode: 'test', merchant: cornerShop({ id: till.merchantId }) })

const request = (changes: Partial<PaymentRequest> & { readonly txRef: string }): PaymentRequest => ({
  amountMinor: 100n,
  currency: 'GBP',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  callbackUrl: null,
  returnUrl: null,
  title: null,
  description: null,
  logo: null,
  metaText: null,
  itemsText: null,
  invoiceNumber: null,
  project: null,
  ...changes,
})

async function numbersOf(txRef: string): Promise<string[]> {
  const rows = await till.db.query<{ number: string }>(sql`
    select number from payments where merchant_id = ${till.merchantId} and tx_ref = ${txRef}`)
  return rows.map(({ number }) => number)
}

test('a create whose second try meets a database that is down does not say that nothing was done', async (t) => {
  const db = new FailingDatabase(till.db.url, new DatabaseUnavailable(true), new DatabaseUnavailable(false))
  t.after(() => db.close())
  const create = makeCreatePayment(db, baseUrl)
  await assert.rejects(
    create(payee(), request({ txRef: 'order-1' }), { type: 'API' }),
    (error) => error instanceof DatabaseUnavailable && error.outcomeUnknown,
  )
  assert.equal((await numbersOf('order-1')).length, 1)
})

test('a create whose answer was lost finds its own row, and that is no repeat', async (t) => {
  const db = new FailingDatabase(till.db.url, new DatabaseUnavailable(true))
  t.after(() => db.close())
  const link = await makeCreatePayment(db, baseUrl)(payee(), request({ txRef: 'order-2' }), { type: 'API' })
  const [number = '', ...more] = await numbersOf('order-2')
  assert.deepEqual(more, [])
  const url = checkoutUrl({ merchant_id: till.merchantId, number }, baseUrl)
  assert.deepEqual([link, db.asked], [{ url, isRepeat: false }, 2])
})

test('what failed for certain is not tried again', async (t) => {
  for (const [place, error] of [new DatabaseUnavailable(false), new Error('a bug')].entries()) {
    const db = new FailingDatabase(till.db.url, error)
    t.after(() => db.close())
    const create = makeCreatePayment(db, baseUrl)
    await assert.rejects(create(payee(), request({ txRef: `certain-${place}` }), { type: 'API' }), error)
    assert.equal(db.asked, 1)
  }
})

test('only the answer that is given again is called a repeat', async () => {
  const create = makeCreatePayment(till.db, baseUrl)
  const ask = async (changes: Partial<PaymentRequest>, bodyText = 'body') =>
    create(payee(), request({ txRef: 'order-3', ...changes }), {
      type: 'API',
      idempotencyKey: 'one',
      bodyText,
    })
  const first = await ask({})
  assert.equal(first.isRepeat, false)
  assert.deepEqual(await ask({}), { url: first.url, isRepeat: true })
  // Its project may have been deleted since.
  assert.deepEqual(await ask({ project: 'Gone' }), { url: first.url, isRepeat: true })
  await assert.rejects(ask({}, 'another body'), { code: 'idempotency_conflict' })
  await assert.rejects(ask({ project: 'Gone' }, 'another body'), { code: 'idempotency_conflict' })
})

test('a payment that the database refuses fails alone among those that arrive with it', async () => {
  const create = makeCreatePayment(till.db, baseUrl)
  const made = await Promise.allSettled(
    Array.from({ length: 6 }, async (_, place) =>
      create(
        payee(),
        request({ txRef: `together-${place}`, title: place === 4 ? 'no text has a \0' : null }),
        {
          type: 'API',
        },
      ),
    ),
  )
  assert.deepEqual(
    made.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})
