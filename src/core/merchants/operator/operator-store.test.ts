import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { Database, inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant, enableCurrency } from '../create-merchant.ts'
import { setBasisPoints, setFixedFee, setSuspended } from './operator-store.ts'

// What an operator changes of one merchant, or of one of its currencies, is changed of no other.

let home: TestDatabase
let db: Database
let merchants: readonly [number, number]
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchants = [await createMerchant(db, { name: 'One' }), await createMerchant(db, { name: 'Other' })]
  for (const merchantId of merchants) await enableCurrency(db, merchantId, 'EUR')
})
after(async () => {
  await db.close()
  await home.drop()
})

type Plan = { isSuspended: boolean; points: number; fees: Record<string, bigint> }

async function plans(): Promise<Plan[]> {
  return Promise.all(
    merchants.map(async (merchantId) => {
      const [merchant] = await db.query<{ isSuspended: boolean; points: number }>(sql`
        select suspended_at is not null as "isSuspended", fee_basis_points as points
        from merchants where id = ${merchantId}`)
      assert.ok(merchant)
      const fees = await db.query<{ currency: string; minor: bigint }>(sql`
        select currency, fee_fixed_minor as minor from merchant_currencies where merchant_id = ${merchantId}`)
      return { ...merchant, fees: Object.fromEntries(fees.map(({ currency, minor }) => [currency, minor])) }
    }),
  )
}

/** What is done for the first one makes `change` of its plan, and leaves the other's as it was. */
async function changes<T>(change: Partial<Plan>, work: (tx: Transaction, own: number) => Promise<T>) {
  const [plan, other] = await plans()
  const answer = await inTransaction(db, async (tx) => work(tx, merchants[0]))
  assert.deepEqual(await plans(), [{ ...plan, ...change }, other])
  return answer
}

test('suspending and resuming changes one merchant, once', async () => {
  for (const isSuspended of [true, false]) {
    const suspend = async () =>
      changes({ isSuspended }, async (tx, own) => setSuspended(tx, own, isSuspended))
    assert.deepEqual([await suspend(), await suspend()], [true, false])
  }
})

test('changing one merchant’s share leaves the others', async () => {
  await changes({ points: 77 }, async (tx, own) => setBasisPoints(tx, own, 77))
})

test('changing one currency’s fixed fee leaves the merchant’s others', async () => {
  const fees = { ...(await plans())[0]?.fees, EUR: 77n }
  assert.deepEqual(Object.keys(fees).toSorted(), ['EUR', 'GBP'])
  await changes({ fees }, async (tx, own) => setFixedFee(tx, own, 'EUR', 77n))
})
