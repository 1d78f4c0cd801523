import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, paymentNumber, paymentRow } from '../../../../test/support/rows.ts'
import { sql } from '../../../platform/database/sql.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { bySystem } from '../../audit/audit.ts'
import { countPayments, exportFound, findPayments } from './search-payments.ts'

// One merchant has one live payment more than are counted, all of Ada, a second apart; and one of Grace in test mode.

const countMax = 10_000
const at = (place: number): Date => new Date(Date.UTC(2026, 0, 1) + place * 1_000)
const butTheOldest = { created_from: at(1).toISOString() }

let merchants: Awaited<ReturnType<typeof openTwoMerchants>>
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const rows = Array.from({ length: countMax + 1 }, (_, place) =>
    paymentRow({ merchant_id: own, number: paymentNumber(place), mode: 'live', created_at: at(place) }),
  )
  const grace = { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' }
  rows.push(
    paymentRow({ merchant_id: own, number: paymentNumber(20_000), ...grace }),
    paymentRow({ merchant_id: other, number: paymentNumber(0), mode: 'live' }),
  )
  while (rows.length > 0) await insertRows(db, 'payments', rows.splice(0, 2_500))
  await db.query(sql`analyze payments`)
})
after(() => merchants.close())

const scope = (mode: 'test' | 'live') => ({ merchantId: merchants.own, mode })

test('payments are counted up to ten thousand and estimated beyond', async () => {
  const { db, other } = merchants
  assert.deepEqual(await countPayments(db, scope('live'), butTheOldest), { count: countMax, isExact: true })
  assert.deepEqual(await countPayments(db, scope('test'), {}), { count: 1, isExact: true })
  assert.deepEqual(await countPayments(db, { merchantId: other, mode: 'live' }, {}), {
    count: 1,
    isExact: true,
  })
  const reckoned = await countPayments(db, scope('live'), {})
  assert.equal(reckoned.isExact, false)
  assert.ok(reckoned.count >= countMax && reckoned.count < 1.2 * countMax, String(reckoned.count))
})

test('search results are counted too, without an estimate beyond the limit', async () => {
  const { db } = merchants
  const count = async (query: object) =>
    countPayments(db, scope('live'), { search: 'ada@example.com', ...query })
  assert.deepEqual(await count(butTheOldest), { count: countMax, isExact: true })
  assert.deepEqual(await count({}), { count: countMax, isExact: false })
  assert.deepEqual(await count({ status: 'success' }), { count: 0, isExact: true })
  assert.deepEqual(await count({ search: 'grace@example.com' }), { count: 0, isExact: true })
})

test('a search may have 400 characters, and an unknown field is refused everywhere', async () => {
  const { db } = merchants
  const asks = [
    async (query: Record<string, string>) => findPayments(db, scope('test'), query),
    async (query: Record<string, string>) => countPayments(db, scope('test'), query),
    async (query: Record<string, string>) => exportFound(db, scope('test'), query, bySystem),
  ]
  for (const ask of asks) {
    await ask({ search: 'a'.repeat(400) })
    await refused(ask({ search: 'a'.repeat(401) }), 'search must be at most 400 characters')
    await assert.rejects(
      ask({ serach: 'Ada' }),
      /^Refusal: serach is not a known parameter, did you mean search\? Use /,
    )
  }
})

test('the list and the export contain the search results', async () => {
  const { db } = merchants
  const find = async (query: Record<string, string>) => findPayments(db, scope('live'), query)
  const txRefs = async (query: Record<string, string>) => {
    const pages = await exportFound(db, scope('live'), query, bySystem)
    return (await Array.fromAsync(pages)).flat().map(({ tx_ref: txRef }) => txRef)
  }
  const one = `order-${paymentNumber(7)}`
  const { payments, nextCursor } = await find({ search: one })
  assert.deepEqual([payments.map(({ tx_ref: txRef }) => txRef), nextCursor], [[one], null])
  assert.deepEqual(await txRefs({ search: one }), [one])
  assert.equal((await find({})).payments.length, 25)
  const all = await txRefs({})
  assert.deepEqual([all.length, new Set(all).size], [countMax + 1, countMax + 1])
})

test('an export is audited with its filters, without a card number', async () => {
  const { db, own } = merchants
  await exportFound(db, scope('live'), { search: '4242 4242 4242 4242', currency: 'GBP' }, bySystem)
  const entries = await db.query(sql`
    select actor, action, subject, after from audit_log where merchant_id = ${own} order by at desc limit 1`)
  assert.deepEqual(entries, [
    {
      actor: 'florin',
      action: 'payments.exported',
      subject: String(own),
      after: { mode: 'live', search: '[hidden]', currency: 'GBP' },
    },
  ])
})

async function refused(asked: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(asked, (error) => error instanceof Refusal && error.message === message)
}
