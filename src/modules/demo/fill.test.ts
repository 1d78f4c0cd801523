import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bySystem } from '../../core/audit/audit.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { changeMerchant, createMerchant } from '../../core/merchants/create-merchant.ts'
import { findPayments } from '../../core/payments/support/search-payments.ts'
import { rebuildTotals } from '../../core/payments/daily-totals/rebuild-totals.ts'
import { recounts } from '../../app/modules.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertRows, paymentRow, storedRows } from '../../../test/support/rows.ts'
import { fillDemo } from './fill.ts'
import { removeDemoShop } from './remove.ts'

// A database of its own: what is left after a demo is counted over all tables.

const now = new Date('2026-11-18T12:00:00Z')
let home: TestDatabase
let db: Database
let own: number
let demo: number
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  own = await createMerchant(db, { name: 'Own', liveEnabled: true })
  await insertRows(db, 'payments', [paymentRow({ merchant_id: own, number: '1'.repeat(24), mode: 'live' })])
  const filled = await fillDemo(db, { seed: 7, now, baseUrl: 'https://pay.example', by: bySystem })
  demo = filled.merchantId
})
after(async () => {
  await db.close()
  await home.drop()
})

async function count(statement: Parameters<Database['query']>[0]): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(statement)
  return Number(row?.count)
}

test('a demo has payments in every state but held ones, in three currencies, by card and bank', async () => {
  const rows = await db.query<{ state: string; payments: bigint }>(sql`
    select state, count(*) as payments from payments where merchant_id = ${demo} group by state order by state`)
  const states = rows.map(({ state }) => state)
  assert.deepEqual(states, ['cancelled', 'expired', 'failed', 'pending', 'refunded', 'reversed', 'success'])
  const all = rows.reduce((sum, { payments }) => sum + Number(payments), 0)
  assert.ok(all > 700 && all < 1_200, String(all))
  const kinds = await db.query(sql`
    select distinct paid_with->>'kind' as kind from payments where merchant_id = ${demo} and paid_with is not null order by 1`)
  assert.deepEqual(kinds, [{ kind: 'bank' }, { kind: 'card' }])
  const currencies = await db.query(sql`
    select distinct currency from payments where merchant_id = ${demo} order by 1`)
  assert.deepEqual(currencies, [{ currency: 'EUR' }, { currency: 'GBP' }, { currency: 'USD' }])
  const regulars = await count(sql`
    select count(*) from (
      select email from payments where merchant_id = ${demo} group by email having count(*) > 4) as regulars`)
  assert.ok(regulars > 10, String(regulars))
})

test('every paid payment of a demo has one charge of its amount at the test networks', async () => {
  const differing = await count(sql`
    select count(*) from payments
    left join (
      select payment_number, amount_minor, currency from test_network.charges where merchant_id = ${demo} and outcome = 'charged'
      union all
      select payment_number, amount_minor, currency from test_network.pages where merchant_id = ${demo} and state = 'paid'
    ) as charged on charged.payment_number = payments.number
    where payments.merchant_id = ${demo}
      and (payments.paid_at is not null) <> coalesce(charged.amount_minor = payments.amount_minor
        and charged.currency = payments.currency, false)`)
  assert.equal(differing, 0)
  const refunded = await count(sql`
    select count(*) from payments where merchant_id = ${demo} and refunded_minor <> coalesce((
      select sum(amount_minor) from refunds where refunds.merchant_id = ${demo} and refunds.number = payments.number), 0)`)
  assert.equal(refunded, 0)
})

test('totals of a demo are what a rebuild makes, and its ledger balances with the network', async () => {
  const totals = await storedRows(db, 'daily_totals', demo)
  assert.ok(totals.length > 300)
  await rebuildTotals(db, demo, recounts)
  assert.deepEqual(await storedRows(db, 'daily_totals', demo), totals)
  const payouts = await count(
    sql`select count(*) from payouts where merchant_id = ${demo} and lines = 'copied'`,
  )
  assert.ok(payouts >= 30, String(payouts))
  const unequal = await count(sql`
    select count(*) from balances where merchant_id = ${demo} and difference_minor <> 0`)
  assert.equal(unequal, 0)
})

test('nothing in a demo lies in the future or waits for a worker, and search finds it at once', async () => {
  assert.equal(
    await count(sql`
      select count(*) from payment_history where merchant_id = ${demo} and at > ${now}`),
    0,
  )
  assert.equal(
    await count(sql`select count(*) from deliveries where merchant_id = ${demo} and state = 'waiting'`),
    0,
  )
  const found = await findPayments(db, { merchantId: demo, mode: 'test' }, { search: 'muller' })
  assert.ok(found.payments.length > 0)
  assert.ok(found.payments.every((payment) => payment.last_name === 'Müller'))
})

test('a demo never goes live, and there is one at a time', async () => {
  await assert.rejects(changeMerchant(db, demo, { liveEnabled: true }), /demo/)
  await assert.rejects(
    fillDemo(db, { seed: 1, now, baseUrl: '', by: bySystem }),
    /There is a demo shop already/,
  )
})

test('removing a demo leaves no row of it but the audit log, and touches no other merchant', async () => {
  const tables = await db.query<{ name: string }>(sql`
    select table_schema || '.' || table_name as name from information_schema.columns
    where column_name = 'merchant_id' and table_schema in ('public', 'test_network')`)
  const ofOther = await storedRows(db, 'payments', own)
  assert.equal(await removeDemoShop(db, bySystem), demo)
  for (const { name } of tables)
    if (name !== 'public.audit_log') assert.deepEqual(await storedRows(db, name, demo), [], name)
  assert.equal(await count(sql`select count(*) from merchants where id = ${demo}`), 0)
  assert.deepEqual(await storedRows(db, 'payments', own), ofOther)
  await assert.rejects(removeDemoShop(db, bySystem), /There is no demo shop/)
})
