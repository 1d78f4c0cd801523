import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { arrivalRow, feedRow, lineRow, payoutRow } from '../../../test/support/payout-rows.ts'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { readBalances } from './read-balance.ts'
import { addEntries, listBalances, setDifference } from './ledger/ledger-store.ts'
import {
  listLines,
  listLinesOfPayments,
  sumLines,
  sumPending,
  unlinkTests,
  writeLines,
  type NewLine,
} from './line-store.ts'
import {
  findById,
  hasOpen,
  insertHistory,
  listByIds,
  listHistory,
  listPayouts,
  lockByReference,
  setLines,
  updatePayout,
} from './payout-store.ts'

// Two merchants whose payouts and lines have the same names: whatever is read or changed is the one merchant's alone.

let two: TwoMerchants
const now = new Date('2026-11-18T12:00:00Z')
const number = '0'.repeat(23) + '1'

before(async () => {
  two = await openTwoMerchants()
  for (const [merchant_id, more] of [
    [two.own, 0n],
    [two.other, 50n],
  ] as const) {
    await insertRows(two.db, 'payout_feeds', [
      feedRow({ merchant_id }),
      feedRow({ merchant_id, account_id: 'acc_second' }),
    ])
    await insertRows(two.db, 'payouts', [
      payoutRow({ merchant_id, id: 'po_1', amount_minor: 1_000n + more }),
      payoutRow({ merchant_id, id: 'po_2', made_at: '2026-11-16T00:00:00Z' }),
      payoutRow({ merchant_id, id: 'po_3', made_at: '2026-11-16T00:00:00Z', state: 'failed' }),
      payoutRow({ merchant_id, id: 'po_test', mode: 'test', reference: 'net_test' }),
    ])
    await insertRows(two.db, 'payout_history', [arrivalRow({ merchant_id, payout_id: 'po_1' })])
    await insertRows(two.db, 'payout_lines', [
      lineRow({ merchant_id, reference: 'l1', payout_id: 'po_1', number, gross_minor: 1_000n + more }),
      lineRow({ merchant_id, reference: 'l2', payout_id: 'po_1' }),
      lineRow({ merchant_id, reference: 'l3', payout_id: null, available_at: '2026-11-18T12:00:01Z' }),
      lineRow({ merchant_id, reference: 'l4', payout_id: null, available_at: '2026-11-18T12:00:00Z' }),
      lineRow({
        merchant_id,
        reference: 'l5',
        payout_id: null,
        number,
        mode: 'test',
        available_at: '2026-11-01T00:00:00Z',
      }),
    ])
  }
})
after(() => two.close())

const key = (id = 'po_1') => ({ merchantId: two.own, id })
const own = async () => (await findById(two.db, key())) ?? assert.fail('no payout')
const others = async (): Promise<string[][]> =>
  Promise.all(
    ['payouts', 'payout_history', 'payout_lines', 'entries', 'balances'].map(async (table) =>
      storedRows(two.db, table, two.other),
    ),
  )

test('a payout is found by its id, its reference and in a list, for one merchant', async () => {
  assert.equal((await own()).amount_minor, 1_000n)
  const found = await listByIds(two.db, two.own, ['po_1', 'po_none'])
  assert.deepEqual(
    found.map(({ id, amount_minor }) => [id, amount_minor]),
    [['po_1', 1_000n]],
  )
  const lock = async (accountId: string, reference: string) =>
    inTransaction(two.db, async (tx) => lockByReference(tx, { merchantId: two.own, accountId, reference }))
  assert.equal((await lock('acc_stripe', 'net_po_1'))?.amount_minor, 1_000n)
  assert.equal(await lock('acc_second', 'net_po_1'), undefined)
  assert.equal(await lock('acc_stripe', 'net_none'), undefined)
})

test('payouts of one merchant and mode are listed newest first, from a place and of some states', async () => {
  const list = async (filter: object): Promise<string> => {
    const rows = await listPayouts(two.db, { merchantId: two.own, mode: 'live', limit: 10, ...filter })
    return rows.map(({ id }) => id).join(' ')
  }
  assert.equal(await list({}), 'po_3 po_2 po_1')
  assert.equal(await list({ limit: 2 }), 'po_3 po_2')
  assert.equal(await list({ states: ['arrived'] }), 'po_2 po_1')
  assert.equal(await list({ after: { madeAt: '2026-11-16T00:00:00Z', id: 'po_3' } }), 'po_2 po_1')
  assert.equal(await list({ mode: 'test' }), 'po_test')
})

test('a change of a payout and its history is about one payout of one merchant', async () => {
  const unchanged = await others()
  const payout = await own()
  await inTransaction(two.db, async (tx) => {
    const changed = await updatePayout(
      tx,
      payout,
      { state: 'returned', arrives_on: null, bank_reference: 'B', failure: 'closed' },
      now,
    )
    assert.deepEqual([changed.state, changed.amount_minor, changed.failure], ['returned', 1_000n, 'closed'])
    const sums = {
      lines: 'copied',
      line_count: 2,
      gross_minor: 1_040n,
      fee_minor: 34n,
      tax_minor: 6n,
      difference_minor: 0n,
    } as const
    assert.equal((await setLines(tx, payout, sums, now)).line_count, 2)
    assert.equal(await insertHistory(tx, changed, now), 2, 'after the arrival')
    assert.equal(await insertHistory(tx, changed, now), 3)
  })
  assert.deepEqual(
    (await listHistory(two.db, key())).map(({ state }) => state),
    ['arrived', 'returned', 'returned'],
  )
  assert.equal((await findById(two.db, key('po_2')))?.state, 'arrived')
  assert.deepEqual(await others(), unchanged)
})

test('the history of another merchant’s payout doesn’t count for the place of ours', async () => {
  await inTransaction(two.db, async (tx) => {
    const theirs = await findById(tx, { merchantId: two.other, id: 'po_1' })
    assert.ok(theirs)
    assert.equal(await insertHistory(tx, theirs, now), 2, 'ours has three')
  })
})

test('an account has something to report while a payout is on its way or waits for its lines', async () => {
  const open = async (since: string, accountId = 'acc_stripe') =>
    hasOpen(two.db, { merchantId: two.own, accountId }, new Date(since))
  await insertRows(two.db, 'payouts', [
    payoutRow({
      merchant_id: two.own,
      id: 'po_way',
      state: 'on_its_way',
      lines: 'copied',
      gross_minor: 1_000n,
      made_at: '2026-11-17T00:00:00Z',
    }),
  ])
  assert.equal(await open('2026-11-17T00:00:00Z'), true)
  assert.equal(await open('2026-11-17T00:00:01Z'), false)
  assert.equal(await open('2026-11-17T00:00:00Z', 'acc_second'), false)
})

test('lines of one payout are summed and listed by their booking, page by page', async () => {
  const of = { merchantId: two.own, payoutId: 'po_1' }
  const sums = await inTransaction(two.db, async (tx) => sumLines(tx, of))
  assert.deepEqual([sums.count, sums.gross_minor, sums.fee_minor, sums.tax_minor], [2, 2_000n, 68n, 12n])
  const lines = await listLines(two.db, of, { limit: 10 })
  assert.deepEqual(
    lines.map(({ reference, gross_minor }) => [reference, gross_minor]),
    [
      ['l1', 1_000n],
      ['l2', 1_000n],
    ],
  )
  const place = { bookedAt: lines[0]?.booked_at ?? '', reference: 'l1' }
  assert.deepEqual(
    (await listLines(two.db, of, { after: place, limit: 10 })).map(({ reference }) => reference),
    ['l2'],
  )
  assert.equal((await listLines(two.db, of, { limit: 1 })).length, 1)
  assert.deepEqual(
    (await listLinesOfPayments(two.db, two.own, [number])).map(({ reference }) => reference),
    ['l1', 'l5'],
  )
})

test('a known line keeps its money, and what it belongs to is filled in once', async () => {
  const of = { merchant_id: two.own, account_id: 'acc_second' }
  const line = {
    reference: 'w1',
    mode: 'live',
    kind: 'payment',
    type: 'charge',
    currency: 'EUR',
    gross_minor: 10n,
    fee_minor: 1n,
    tax_minor: 0n,
    net_minor: 9n,
    original_minor: null,
    original_currency: null,
    exchange_rate: null,
    charge_reference: null,
    refund_reference: null,
    booked_at: now,
    available_at: now,
    payout_id: null,
    number: null,
    refund_id: null,
  } as unknown as NewLine
  const write = async (changes: object) => {
    await inTransaction(two.db, async (tx) => writeLines(tx, of, [{ ...line, ...changes }]))
    const [stored = ''] = (await storedRows(two.db, 'payout_lines', two.own)).filter((row) =>
      row.includes('"w1"'),
    )
    const { gross_minor, payout_id, number: named, refund_id } = JSON.parse(stored) as Record<string, unknown>
    return [gross_minor, payout_id, named, refund_id]
  }
  assert.deepEqual(await write({}), [10, null, null, null])
  const payment = '2'.padStart(24, '0')
  assert.deepEqual(await write({ number: payment, gross_minor: 11n, net_minor: 10n }), [
    10,
    null,
    payment,
    null,
  ])
  assert.deepEqual(await write({ payout_id: 'po_2' }), [10, 'po_2', payment, null])
  assert.deepEqual(await write({ refund_id: 'rfd_1' }), [10, 'po_2', payment, 'rfd_1'])
  assert.deepEqual(await write({ payout_id: 'po_3', number: '9'.repeat(24), refund_id: 'rfd_2' }), [
    10,
    'po_2',
    payment,
    'rfd_1',
  ])
})

test('money is pending until the moment at which a network may pay it out', async () => {
  const [pending, ...more] = await sumPending(two.db, two.own, now)
  assert.deepEqual(more, [])
  assert.deepEqual([pending?.account_id, pending?.pending_minor], ['acc_stripe', 960n])
})

test('a deleted test payment is named by no test line of its merchant, and live lines keep theirs', async () => {
  const theirs = await storedRows(two.db, 'payout_lines', two.other)
  await inTransaction(two.db, async (tx) => unlinkTests(tx, { merchantId: two.own, numbers: [number] }))
  assert.deepEqual(
    (await listLinesOfPayments(two.db, two.own, [number])).map(({ reference }) => reference),
    ['l1'],
  )
  assert.deepEqual(await storedRows(two.db, 'payout_lines', two.other), theirs)
})

test('entries are booked once, and balances are their sums, by account, currency and mode', async () => {
  const of = (merchant_id: number, account_id = 'acc_stripe', mode: 'live' | 'test' = 'live') => ({
    merchant_id,
    account_id,
    connector: 'stripe',
    mode,
  })
  const entry = (source: string, held: bigint, currency = 'EUR') => ({
    source,
    currency,
    at: now,
    sales: -held,
    held,
  })
  const add = async (
    ...given: Parameters<typeof addEntries> extends [unknown, ...infer Rest] ? Rest : never
  ) => inTransaction(two.db, async (tx) => addEntries(tx, ...given))
  await add(of(two.own), [entry('a', 100n), entry('b', 20n), entry('c', 3n, 'GBP'), entry('none', 0n)])
  await add(of(two.own), [entry('a', 100n), entry('d', 1n)])
  await add(of(two.own, 'acc_second', 'test'), [entry('a', 7n)])
  await add(of(two.other), [entry('a', 5_000n)])
  const balances = async (mode: 'live' | 'test') =>
    (await listBalances(two.db, { merchantId: two.own, mode })).map((row) => [
      row.account_id,
      row.currency,
      row.held_minor,
    ])
  assert.deepEqual(await balances('live'), [
    ['acc_stripe', 'EUR', 121n],
    ['acc_stripe', 'GBP', 3n],
  ])
  assert.deepEqual(await balances('test'), [['acc_second', 'EUR', 7n]])
  const shown = await readBalances(two.db, { merchantId: two.own, mode: 'live' }, now)
  assert.deepEqual(
    shown.map((one) => [one.currency, one.pendingMinor, one.availableMinor]),
    [
      ['EUR', 960n, 121n - 960n],
      ['GBP', 0n, 3n],
    ],
    'what is pending is of the same account and currency',
  )
  await inTransaction(two.db, async (tx) => setDifference(tx, of(two.own), 'EUR', 9n))
  const differences = (await listBalances(two.db, { merchantId: two.own, mode: 'live' })).map(
    (row) => row.difference_minor,
  )
  assert.deepEqual(differences, [9n, null])
  const [theirs] = await listBalances(two.db, { merchantId: two.other, mode: 'live' })
  assert.deepEqual([theirs?.held_minor, theirs?.difference_minor], [5_000n, null])
})
