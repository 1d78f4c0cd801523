import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { findViews, type ViewRow } from './checkout-store.ts'

let merchants: TwoMerchants
const [ofTest, ofLive] = [paymentNumber(1), paymentNumber(2)]
const at = new Date('2026-11-16T12:00:00.000Z')

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) => [
      paymentRow({ merchant_id, number: ofTest }),
      paymentRow({ merchant_id, number: ofLive, mode: 'live' }),
    ]),
  )
})
after(() => merchants.close())

/** Together and one by one: a lone page has a statement of its own, with the same answer. */
async function viewsOf(address: string): Promise<(ViewRow | undefined)[]> {
  const { db, own } = merchants
  const together = await findViews(db, own, [ofTest, ofLive], [address, address])
  for (const [index, number] of [ofTest, ofLive].entries()) {
    const [alone] = await findViews(db, own, [number], [address])
    assert.deepEqual(alone, together[index] && { ...together[index], at: 1 })
  }
  return together
}

test('records against an address are found only at its own merchant and mode', async () => {
  const { db, own, other } = merchants
  const level = { merchant_id: own, mode: 'test', kind: 'address', name: 'asked', level_at: at }
  const alike = [
    { ...level, merchant_id: other, level: 1 },
    { ...level, mode: 'live', level: 2 },
    { ...level, kind: 'card', level: 3 },
    { ...level, name: 'another', level: 4 },
  ]
  await insertRows(db, 'decline_levels', alike)
  const levelsOf = async (address: string): Promise<unknown[]> =>
    (await viewsOf(address)).map((view) => view?.level)
  assert.deepEqual(await levelsOf('asked'), [null, 2])
  assert.deepEqual(await levelsOf('another'), [4, null])
  await insertRows(db, 'decline_levels', [{ ...level, level: 5 }])
  assert.deepEqual(await levelsOf('asked'), [5, 2])
})

test('a merchant is under attack only by its own declines, in their mode', async () => {
  const { db, own, other } = merchants
  const declinesSeen = async (): Promise<unknown[]> =>
    (await viewsOf('asked')).map((view) => view?.attack_declines)
  const attack = { merchant_id: own, mode: 'test', counted_from: at, until: at }
  await insertRows(db, 'card_attacks', [
    { ...attack, merchant_id: other, declines: 1 },
    { ...attack, mode: 'live', declines: 2 },
  ])
  assert.deepEqual(await declinesSeen(), [null, 2])
  await insertRows(db, 'card_attacks', [{ ...attack, declines: 3 }])
  assert.deepEqual(await declinesSeen(), [3, 2])
})

test('a page shows the paid attempt, else the last one, and counts the declined ones', async () => {
  const { db, own, other } = merchants
  const attempts = (merchant_id: number, number: string, states: readonly string[]) =>
    states.map((state, index) => attemptRow({ merchant_id, number, attempt: index + 1, state }))
  await insertRows(db, 'attempts', [
    ...attempts(own, ofTest, ['declined', 'succeeded', 'declined', 'abandoned']),
    ...attempts(own, ofLive, ['abandoned', 'declined', 'abandoned']),
    ...attempts(other, ofTest, ['abandoned']),
  ])
  const shown = async (merchantId: number): Promise<unknown[]> =>
    (await findViews(db, merchantId, [ofTest, ofLive])).map((view) => [
      view?.merchant_id,
      view?.last_attempt,
      view?.last_state,
      view?.declined,
    ])
  assert.deepEqual(await shown(own), [
    [own, 2, 'succeeded', 2],
    [own, 3, 'abandoned', 1],
  ])
  assert.deepEqual(await shown(other), [
    [other, 1, 'abandoned', 0],
    [other, null, null, 0],
  ])
})

test('a page is told that money goes back, whichever attempt of its own payment brought it', async () => {
  const { db, own, other } = merchants
  const cases: readonly (readonly [states: readonly string[], isSentBack: boolean | null])[] = [
    [[], null],
    [['abandoned', 'left_open'], false],
    [['surplus', 'abandoned'], true],
    [['declined', 'returned', 'left_open'], true],
    [['abandoned', 'surplus'], true],
    [['held', 'declined'], false],
  ]
  const numbers = cases.map((_, index) => paymentNumber(10 + index))
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) => numbers.map((number) => paymentRow({ merchant_id, number }))),
  )
  const states = cases.flatMap(([all], index) =>
    all.map((state, place) => ({ number: numbers[index] ?? '', attempt: place + 1, state })),
  )
  const alike = numbers.map((number) => ({ number, attempt: 1, state: 'surplus' }))
  await insertRows(db, 'attempts', [
    ...states.map((row) => attemptRow({ merchant_id: own, ...row })),
    ...alike.map((row) => attemptRow({ merchant_id: other, ...row })),
  ])
  assert.deepEqual(
    (await findViews(db, own, numbers)).map((view) => view?.is_sent_back),
    cases.map(([, isSentBack]) => isSentBack),
  )
})
