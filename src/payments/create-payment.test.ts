import assert from 'node:assert/strict'
import { plainBrand } from '../merchants/brand/brand.ts'
import { test } from 'node:test'
import { openTill } from '../../test/support/till.ts'
import type { Row } from '../database/database.ts'
import { Database } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import type { Authenticated } from '../merchants/authenticate.ts'
import { makeCreatePayment } from './create-payment.ts'

/** Commits the first insert and loses its answer; then it can't be reached. */
class FailingDatabase extends Database {
  #asked = 0
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    if (!statement.text.includes('insert')) return super.query<R>(statement)
    this.#asked += 1
    if (this.#asked > 1) throw new DatabaseUnavailable(false)
    await super.query<R>(statement)
    throw new DatabaseUnavailable(true)
  }
}

test('a create whose second try meets a database that is down does not say that nothing was done', async (t) => {
  const till = await openTill()
  t.after(() => till.close())
  const db = new FailingDatabase(till.db.url)
  t.after(() => db.close())
  const caller: Authenticated & { mode: 'test' } = {
    merchant: {
      id: till.merchantId,
      name: 'Corner shop',
      email: null,
      liveEnabled: false,
      isSuspended: false,
      feeBasisPoints: 140,
      formsTakeSecretKeys: true,
      refundFees: false,
      payWithinMinutes: 1_440,
      brand: plainBrand,
      currencies: new Map([['GBP', 20n]]),
    },
    keyId: 'key_1',
    kind: 'secret',
    mode: 'test',
    bounds: undefined,
    sealedFormSecret: undefined,
    exposed: false,
    mayRefund: true,
  }
  const request = {
    txRef: 'order-1',
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
  }
  const create = makeCreatePayment(db, 'http://127.0.0.1')
  await assert.rejects(
    create(caller, request, { type: 'API' }),
    (error) => error instanceof DatabaseUnavailable && error.outcomeUnknown,
  )
  assert.equal((await till.db.query(sql`select from payments where tx_ref = 'order-1'`)).length, 1)
})
