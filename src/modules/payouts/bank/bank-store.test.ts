import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { feedRow, payoutRow } from '../../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import {
  findEntries,
  listEntriesOf,
  listLeftEntries,
  listSentPayouts,
  listUnseenPayouts,
  upsertEntry,
  type EntryRow,
} from './bank-store.ts'

// Two merchants whose payouts have the same names. Only the other one's bank has shown po_1.

let two: TwoMerchants
const entry: EntryRow = {
  account: 'DE1',
  entry: 'e1',
  booked_on: '2026-11-17',
  amount_minor: 1_000n,
  currency: 'EUR',
  description: 'STRIPE',
  payout_id: null,
  matched_by: null,
}
const scope = (mode: 'live' | 'test' = 'live') => ({ merchantId: two.own, mode })
const write = async (merchantId: number, changes: Partial<EntryRow>, mode: 'live' | 'test' = 'live') =>
  inTransaction(two.db, async (tx) => upsertEntry(tx, { merchantId, mode }, { ...entry, ...changes }))

before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    await insertRows(two.db, 'payout_feeds', [feedRow({ merchant_id })])
    await insertRows(two.db, 'payouts', [
      payoutRow({ merchant_id, id: 'po_1' }),
      payoutRow({ merchant_id, id: 'po_2', arrives_on: null, made_at: '2026-11-16T23:30:00Z' }),
      payoutRow({ merchant_id, id: 'po_3', state: 'on_its_way' }),
      payoutRow({ merchant_id, id: 'po_test', mode: 'test' }),
    ])
  }
  await write(two.other, { payout_id: 'po_1', matched_by: 'reference' })
  await write(two.other, { entry: 'e2' })
})
after(() => two.close())

const sent = async (): Promise<string[]> =>
  (await listSentPayouts(two.db, scope())).map(({ id, day, is_seen }) => `${id} ${day} ${is_seen}`)
const unseen = async (limit = 10): Promise<string> =>
  (await listUnseenPayouts(two.db, scope(), limit)).map(({ id }) => id).join(' ')

test('what another merchant’s bank has shown is not seen at ours', async () => {
  assert.deepEqual(await sent(), ['po_2 2026-11-16 false', 'po_3 2026-11-17 false', 'po_1 2026-11-17 false'])
  assert.equal(await unseen(), 'po_2 po_1')
  assert.equal(await unseen(1), 'po_2')
  assert.deepEqual(await listLeftEntries(two.db, scope(), 10), [])
  assert.deepEqual(await listEntriesOf(two.db, two.own, 'po_1'), [])
  assert.deepEqual(await findEntries(two.db, scope(), [{ account: 'DE1', key: 'e1' }]), [])
})

test('a payout is seen once the bank shows its arrival, and a return alone is none', async () => {
  await write(two.own, { entry: 'back', payout_id: 'po_1', matched_by: 'return' })
  assert.equal((await sent()).at(-1), 'po_1 2026-11-17 false')
  assert.equal(await unseen(), 'po_2 po_1')
  await write(two.own, { entry: 'arrival', payout_id: 'po_1', matched_by: 'amount' })
  assert.equal((await sent()).at(-1), 'po_1 2026-11-17 true')
  assert.equal(await unseen(), 'po_2')
  assert.deepEqual(
    (await listEntriesOf(two.db, two.own, 'po_1')).map((one) => one.entry),
    ['arrival', 'back'],
  )
})

test('an entry that was left over gets its payout, and one that has a payout keeps it', async () => {
  const theirs = await storedRows(two.db, 'bank_entries', two.other)
  await write(two.own, { entry: 'late' })
  await write(two.own, { entry: 'later', booked_on: '2026-11-18' })
  await write(two.own, { entry: 'late' }, 'test')
  const left = async (mode: 'live' | 'test' = 'live') =>
    (await listLeftEntries(two.db, scope(mode), 10)).map((one) => one.entry)
  assert.deepEqual([await left(), await left('test')], [['later', 'late'], ['late']])
  assert.equal((await listLeftEntries(two.db, scope(), 1)).length, 1)
  await write(two.own, { entry: 'late', payout_id: 'po_2', matched_by: 'reference' })
  await write(two.own, { entry: 'late', payout_id: 'po_3', matched_by: 'amount' })
  const [found, ...more] = await findEntries(two.db, scope(), [{ account: 'DE1', key: 'late' }])
  assert.deepEqual(more, [])
  assert.deepEqual([found?.payout_id, found?.matched_by], ['po_2', 'reference'])
  assert.deepEqual([await left(), await left('test')], [['later'], ['late']])
  assert.deepEqual(await storedRows(two.db, 'bank_entries', two.other), theirs)
})
