import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentNumbers,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { listUnknown } from './due-store.ts'

let merchants: TwoMerchants
const [oldest, newest, declined, ofLive] = paymentNumbers(2, 1, 3, 4)
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 16, 12, 0, second))

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const attempts = [
    { number: newest, state: 'unknown', started_at: at(2) },
    { number: oldest, state: 'unknown', started_at: at(1) },
    { number: declined, state: 'declined', started_at: at(0) },
    { number: ofLive, state: 'unknown', started_at: at(0) },
  ]
  const rows = [own, other].flatMap((merchant_id) => attempts.map((row) => ({ ...row, merchant_id })))
  await insertRows(
    db,
    'payments',
    rows.map(({ merchant_id, number }) =>
      paymentRow({
        merchant_id,
        number,
        mode: number === ofLive ? 'live' : 'test',
        tx_ref: `${merchant_id} ${number}`,
      }),
    ),
  )
  await insertRows(db, 'attempts', rows.map(attemptRow))
})
after(() => merchants.close())

test('attempts with an unknown outcome are listed by merchant and mode, oldest first', async () => {
  for (const [own] of merchants.both) {
    const listed = async (mode: 'test' | 'live', limit = 100): Promise<string[]> =>
      (await listUnknown(merchants.db, { merchantId: own, mode, limit })).map(({ tx_ref }) => tx_ref)
    assert.deepEqual(await listed('test'), [`${own} ${oldest}`, `${own} ${newest}`])
    assert.deepEqual(await listed('test', 1), [`${own} ${oldest}`])
    assert.deepEqual(await listed('live'), [`${own} ${ofLive}`])
  }
})

test('another merchant’s attempt on a payment of the same number is not listed', async () => {
  const { db, own, other } = merchants
  const row = { number: paymentNumber(5), mode: 'live' }
  await insertRows(
    db,
    'payments',
    [own, other].map((merchant_id) => paymentRow({ ...row, merchant_id })),
  )
  await insertRows(db, 'attempts', [attemptRow({ merchant_id: other, number: row.number, state: 'unknown' })])
  assert.equal((await listUnknown(db, { merchantId: own, mode: 'live', limit: 100 })).length, 1)
})
