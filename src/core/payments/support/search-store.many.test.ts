import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import type { Mode } from '../../merchants/mode.ts'
import { indexPayments } from '../search/index-payments.ts'
import type { Search } from './read-search.ts'
import { searchPayments } from './search-store.ts'

// More payments than a look reads. Those of test mode are pending, one more than the latest that are looked through; those of
// live mode have ended, one more than the matches that a look takes. The greater a number, the newer its payment; two and two
// are of one moment.

const latestMax = 5_000
const matchesMax = 1_000
const at = (place: number): Date => new Date(Date.UTC(2026, 0, 1) + Math.floor(place / 2) * 1_000)

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own } = merchants
  const pending = places(latestMax + 1).map((place) =>
    paymentRow({
      merchant_id: own,
      number: paymentNumber(place),
      reference: `PENDING${place}`,
      last_name: place === 0 ? 'First' : 'Pending',
      created_at: at(place),
    }),
  )
  const ended = places(matchesMax + 1).map((place) =>
    paymentRow({
      merchant_id: own,
      number: paymentNumber(10_000 + place),
      mode: 'live',
      state: 'success',
      tx_ref: `order-${paymentNumber(place)}`,
      last_name: 'Ended',
      // Moments of their own, as no number decides between two of one moment.
      created_at: at(2 * place),
    }),
  )
  const rows = [...pending, ...ended]
  while (rows.length > 0) await insertRows(db, 'payments', rows.splice(0, 2_000))
  await insertRows(
    db,
    'attempts',
    ended.map(({ merchant_id, number, created_at: started_at }) =>
      attemptRow({ merchant_id, number, state: 'succeeded', card_last4: '4242', started_at }),
    ),
  )
})
after(() => merchants.close())

function places(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place)
}

async function found(mode: Mode, some: Partial<Search>): Promise<number[]> {
  const nothing = { number: undefined, last4: undefined, txRefs: [], email: undefined, needles: [] }
  const search = { ...nothing, ...some }
  const filter = { merchantId: merchants.own, mode, search, limit: 10_000 }
  return (await searchPayments(merchants.db, filter)).map(({ number }) => Number(number))
}

const part = (text: string): Partial<Search> => ({ needles: [{ parts: [text], terms: [] }] })

test('payments without entries are looked for among the latest', async () => {
  assert.deepEqual(await found('test', part('pending5000')), [5_000])
  assert.deepEqual(await found('test', part('pending0')), [])
  const newest = places(latestMax + 1).slice(1)
  assert.deepEqual(await found('test', part('pending')), newest.toReversed())
})

test('the newest are found when there are too many matches', async () => {
  const newest = places(matchesMax + 1)
    .slice(1)
    .map((place) => 10_000 + place)
  assert.deepEqual(await found('live', { last4: '4242' }), newest.toReversed())
})

test('payments with entries are found however many there are', async () => {
  const all = places(matchesMax + 1).map((place) => 10_000 + place)
  while ((await indexPayments(merchants.db, merchants.own)) > 0);
  assert.deepEqual(await found('live', part('ende')), all.toReversed())
  assert.deepEqual(await found('live', part('order-')), all.toReversed())
  assert.deepEqual(await found('test', part('first')), [0])
})
