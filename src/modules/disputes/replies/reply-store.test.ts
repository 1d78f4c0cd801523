import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  disputeRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction, sqlState } from '../../../platform/database/database.ts'
import { checkSoon, findById } from '../store.ts'
import { endReply, insertReply, listReplies, listRepliesOf } from './reply-store.ts'

// Two merchants whose disputes and replies have the same names.

const now = new Date('2026-11-18T12:00:00Z')
const later = new Date('2026-11-18T13:00:00Z')
const number = paymentNumber(1)
let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    await insertRows(two.db, 'payments', [paymentRow({ merchant_id, number, state: 'success' })])
    await insertRows(
      two.db,
      'disputes',
      ['a', 'b'].map((name) => disputeRow({ merchant_id, number, name, next_check_at: later })),
    )
    for (const name of ['a', 'b']) await add(merchant_id, name, `rpl_${name}`, now)
  }
})
after(() => two.close())

async function add(merchantId: number, dispute: string, id: string, at: Date): Promise<void> {
  const reply = { id, kind: 'evidence', parts: ['explanation'], actor: 'per_1' } as const
  await inTransaction(two.db, async (tx) => insertReply(tx, { merchantId, id: `dsp_${dispute}` }, reply, at))
}

const statesOf = async (merchantId: number): Promise<string[]> =>
  (await listRepliesOf(two.db, merchantId, ['dsp_a', 'dsp_b'])).map(
    ({ id, state, failure }) => `${id} ${state} ${failure ?? ''}`,
  )

test('one reply of a dispute is on its way at a time, by the database’s own rule', async () => {
  await assert.rejects(add(two.own, 'a', 'rpl_second', later), (error) => sqlState(error) === '23505')
})

test('a reply ends once, for one merchant; one that was not there may turn out to be sent', async () => {
  const others = await storedRows(two.db, 'dispute_replies', two.other)
  const end = async (state: 'sent' | 'refused' | 'not_sent', failure?: string): Promise<void> =>
    endReply(
      two.db,
      { merchantId: two.own, id: 'rpl_a' },
      { state, at: later, ...(failure !== undefined && { failure }) },
    )
  await end('not_sent')
  assert.deepEqual(await statesOf(two.own), ['rpl_b requested ', 'rpl_a not_sent '])
  await end('sent')
  await end('refused', 'Too late')
  assert.deepEqual(await statesOf(two.own), ['rpl_b requested ', 'rpl_a sent '])
  assert.deepEqual(await storedRows(two.db, 'dispute_replies', two.other), others)
  await add(two.own, 'a', 'rpl_c', later)
  await endReply(two.db, { merchantId: two.own, id: 'rpl_c' }, { state: 'refused', failure: 'No', at: later })
  const replies = await listReplies(two.db, { merchantId: two.own, id: 'dsp_a' })
  assert.deepEqual(
    replies.map(({ id, failure, ended_at }) => [id, failure, Date.parse(ended_at ?? '')]),
    [
      ['rpl_c', 'No', later.getTime()],
      ['rpl_a', null, later.getTime()],
    ],
  )
  assert.deepEqual(await listRepliesOf(two.db, two.own, []), [])
})

test('a check is brought forward and never put off, for one dispute of one merchant', async () => {
  const others = await storedRows(two.db, 'disputes', two.other)
  const key = { merchantId: two.own, id: 'dsp_a' }
  const [untouched] = (await storedRows(two.db, 'disputes', two.own)).filter((row) => row.includes('"dsp_b"'))
  await checkSoon(two.db, key, now)
  await checkSoon(two.db, key, later)
  const rows = await storedRows(two.db, 'disputes', two.own)
  assert.match(rows.find((row) => row.includes('"dsp_a"')) ?? '', /"next_check_at":"2026-11-18T12:00/)
  assert.ok(untouched !== undefined && rows.includes(untouched))
  assert.deepEqual(await storedRows(two.db, 'disputes', two.other), others)
  assert.ok(await findById(two.db, key))
})
