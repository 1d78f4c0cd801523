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
const payouts = new Map([['po_1', payout]])
const result = { reading, entryCount: 1, knownCount: 0, matches: [match], leftovers: [], payouts }

function page(left: object = {}, told: object = {}, ask: AskChanges = {}) {
  return bankPage(pageAsk({ dashboard, ...ask }), { isGiven: true, payouts: [], entries: [], ...left }, told)
    .body
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
          payouts,
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
  assert.deepEqual(tableIn(drawn).rows[0], [
    'po-stripe',
    'JP¥500 17 November 2026',
    'JP¥500 18 November 2026',
    'by reference',
  ])
  assert.deepEqual(tableIn(drawn).figures, ['Expected', 'At the bank'])
  assert.equal(linksIn(drawn)['po-stripe'], `${home}/payouts/po_1`)
})

test('payouts that the bank doesn’t show are listed with the reference that a bank would show', () => {
  const drawn = page({ payouts: [payout, { ...payout, connector: 'other', bank_reference: 'SHOP-1' }] })
  assert.deepEqual(tableIn(drawn).rows, [
    ['po-stripe', 'Stripe', '17 November 2026', 'JP¥500'],
    ['SHOP-1', 'other', '17 November 2026', 'JP¥500'],
  ])
  assert.deepEqual(tableIn(drawn).figures, ['Amount'])
  assert.equal(linksIn(drawn)['SHOP-1'], `${home}/payouts/po_1`)
  assert.doesNotMatch(wordsOf(drawn), /Nothing missing/)
  assert.match(wordsOf(page()), /Nothing missing/)
  const ours = page({ payouts: [{ ...payout, connector: 'test-network' }] })
  assert.equal(tableIn(ours).rows[0]?.[1], 'Test network')
})

test('entries without a payout say why, and link to the payout from which they differ', () => {
  const drawn = page({
    entries: [
      { ...entry, why: 'amount_differs', payout: { ...payout, bank_reference: 'SHOP-1' } },
      { ...entry, entry: '2', why: 'ambiguous' },
      { ...entry, entry: '3' },
    ],
  })
  const found = '£12.50 18 November 2026'
  assert.deepEqual(tableIn(drawn).rows, [
    ['STRIPE PAYOUT', 'JP¥500 17 November 2026', found, 'names a payout, but the amount differs: SHOP-1'],
    ['STRIPE PAYOUT', '', found, 'could be one of several payouts'],
    ['STRIPE PAYOUT', '', found, ''],
  ])
  assert.equal(linksIn(drawn)['SHOP-1'], `${home}/payouts/po_1`)
  assert.doesNotMatch(wordsOf(drawn), /Nothing left over/)
  assert.match(wordsOf(page()), /Nothing left over/)
})

test('until a statement is given, the page has only its form', () => {
  const drawn = page({ isGiven: false, payouts: [payout] })
  assert.doesNotMatch(wordsOf(drawn), /not seen at the bank|without a payout/)
  assert.match(wordsOf(page({ isGiven: false }, { result })), /Payouts not seen at the bank/)
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
