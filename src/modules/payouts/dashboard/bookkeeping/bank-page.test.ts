import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../../../test/support/dashboard/page-ask.ts'
import { makeReading } from '../../bank/reading.ts'
import { bankPage } from './bank-page.ts'

const home = '/dashboard/12345678/test'
const dashboard = { live: { networks: [{ name: 'stripe', label: 'Stripe' }] } }
const payout = {
  id: 'po_1',
  connector: 'stripe',
  reference: 'po-stripe',
  bank_reference: null,
  amount_minor: 500n,
  currency: 'JPY',
  day: '2026-11-17',
}
const entry = {
  account: 'A',
  entry: '1',
  booked_on: '2026-11-18',
  amount_minor: 1_250n,
  currency: 'GBP',
  description: 'STRIPE PAYOUT',
}
const match = {
  payoutId: 'po_1',
  entry: { bookedOn: '2026-11-18', amountMinor: 500n, currency: 'JPY' },
  by: 'reference',
}
const reading = makeReading()
const result = { reading, entryCount: 1, knownCount: 0, matches: [match], leftovers: [] }

function page(left: object = {}, told: object = {}, ask: AskChanges = {}) {
  return bankPage(pageAsk({ dashboard, ...ask }), { payouts: [], entries: [], ...left }, told).body
}

for (const [count, known, matches, leftovers, words] of [
  [1, 0, 1, 0, /1 payout found 1 entry in the file, 0 left over\./],
  [2, 1, 0, 1, /0 payouts found 2 entries in the file, 1 payout found before, 1 left over\./],
  [
    1_234,
    2,
    2,
    1_000,
    /2 payouts found 1,234 entries in the file, 2 payouts found before, 1,000 left over\./,
  ],
] as const)
  test(`a statement of ${count} entries, ${known} known, ${matches} matched and ${leftovers} left is summed up`, () => {
    const drawn = page(
      {},
      {
        result: {
          reading,
          entryCount: count,
          knownCount: known,
          matches: Array.from({ length: matches }, () => match),
          leftovers: Array.from({ length: leftovers }, () => ({
            entry: { account: '', key: '' },
            why: 'unknown',
          })),
        },
      },
    )
    assert.match(wordsOf(drawn), words)
    assert.equal(tableIn(drawn).rows.length, matches)
  })

test('a payout that was found says how, and one that was sent back warns', () => {
  const drawn = page(
    {},
    { result: { ...result, matches: [match, { ...match, by: 'amount' }, { ...match, by: 'return' }] } },
  )
  assert.deepEqual(
    tableIn(drawn).rows.map((row) => row.at(-1)),
    ['by reference', 'by amount and date', 'sent back'],
  )
  assert.deepEqual(
    [...drawn.text.matchAll(/class="pill (\w*)"/g)].map(([, tone]) => tone),
    ['good', 'good', 'warn'],
  )
  assert.deepEqual(tableIn(drawn).rows[0], ['po_1', '2026-11-18', 'JP¥500', 'by reference'])
  assert.deepEqual(tableIn(drawn).figures, ['Amount'])
  assert.equal(linksIn(drawn)['po_1'], `${home}/payouts/po_1`)
})

test('payouts that the bank doesn’t show are listed with the reference that a bank would show', () => {
  const drawn = page({ payouts: [payout, { ...payout, connector: 'other', bank_reference: 'SHOP-1' }] })
  assert.deepEqual(tableIn(drawn).rows, [
    ['po_1', '2026-11-17', 'JP¥500', 'Stripe', 'po-stripe'],
    ['po_1', '2026-11-17', 'JP¥500', 'other', 'SHOP-1'],
  ])
  assert.deepEqual(tableIn(drawn).figures, ['Amount'])
  assert.equal(linksIn(drawn)['po_1'], `${home}/payouts/po_1`)
  assert.doesNotMatch(wordsOf(drawn), /Nothing missing/)
  assert.match(wordsOf(page()), /Nothing missing/)
  const ours = page({ payouts: [{ ...payout, connector: 'test-network' }] })
  assert.equal(tableIn(ours).rows[0]?.[3], 'Test network')
})

test('entries without a payout say why, if the file was just given', () => {
  const leftovers = [{ entry: { account: 'A', key: '1' }, why: 'ambiguous' }]
  const drawn = page(
    { entries: [entry, { ...entry, entry: '2' }] },
    { result: { ...result, matches: [], leftovers } },
  )
  assert.deepEqual(tableIn(drawn).rows, [
    ['2026-11-18', '£12.50', 'STRIPE PAYOUT', 'could be one of several payouts'],
    ['2026-11-18', '£12.50', 'STRIPE PAYOUT', ''],
  ])
  assert.deepEqual(tableIn(drawn).figures, ['Amount'])
  assert.equal(tableIn(page({ entries: [entry] })).rows[0]?.[3], '')
  assert.doesNotMatch(wordsOf(drawn), /Nothing left over/)
  assert.match(wordsOf(page()), /Nothing left over/)
})

test('a statement is given by who may, and a mistake stands at the file', () => {
  assert.equal(formsIn(page())['Match'], `${home}/bookkeeping/bank`)
  assert.deepEqual(formsIn(page({}, {}, { role: 'viewer' })), {})
  assert.match(page().text, /aria-describedby="file-hint"/)
  assert.doesNotMatch(page().text, /file-error|aria-invalid/)
  const wrong = page({}, { mistakes: { file: 'Not a statement' } })
  assert.match(wrong.text, /aria-describedby="file-hint file-error"\s+aria-invalid="true"/)
  assert.match(wrong.text, /id="file-error">Not a statement</)
})
