import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { deleteLinkPayments, findUnsettled } from './old-tests-store.ts'

const at = new Date('2026-11-16T12:00:00.000Z')
const txRefs = ['a', 'b', 'c']
const numbers = ['1', '2', '3']

// Both merchants have links of the same names, and what is a link of test mode here is one of live mode there.
let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  for (const [merchant_id, [one, another], lastState] of [
    [two.own, ['test', 'live'], 'paid'],
    [two.other, ['live', 'test'], 'open'],
  ] as const) {
    const like = { merchant_id, kind: 'reusable', asks_customer: false, title: 'Tea', currency: 'GBP' }
    const link = (id: string, mode: string) => ({ ...like, id, mode, created_at: at })
    await insertRows(two.db, 'links', [link('lnk_1', one), link('lnk_2', another), link('lnk_3', 'test')])
    const payment = (link_id: string, tx_ref: string, state: string) =>
      ({ merchant_id, link_id, tx_ref, state, created_at: at, look_at: at }) as const
    await insertRows(two.db, 'link_payments', [
      payment('lnk_1', 'a', 'open'),
      payment('lnk_2', 'b', 'open'),
      payment('lnk_3', 'c', lastState),
      payment('lnk_3', 'd', 'open'),
    ])
  }
})
after(() => two.close())

test('open payments of one merchant’s test links count as unsettled', async () => {
  for (const [own, found] of [
    [two.own, ['1']],
    [two.other, ['2', '3']],
  ] as const) {
    const tests = { merchantId: own, numbers, txRefs }
    assert.deepEqual(await inTransaction(two.db, async (tx) => findUnsettled(tx, tests)), found)
  }
})

test('named payments of one merchant’s test links are deleted, those of live links stay', async () => {
  const stored = async (merchantId: number) => storedRows(two.db, 'link_payments', merchantId)
  const [rows, others] = [await stored(two.own), await stored(two.other)]
  await inTransaction(two.db, async (tx) => deleteLinkPayments(tx, { merchantId: two.own, numbers, txRefs }))
  assert.deepEqual(
    await stored(two.own),
    rows.filter((row) => /"tx_ref":"[bd]"/.test(row)),
  )
  assert.deepEqual(await stored(two.other), others)
})
