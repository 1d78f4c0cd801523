import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  formsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../../test/support/dashboard/page-ask.ts'
import { refundPage } from './refund-page.ts'
import { refundsPage } from './refunds-page.ts'

const home = '/dashboard/12345678/test'
const at = now.toISOString()
const refund = {
  id: 'rfd_1',
  number: '42',
  refund_ref: 'ref-1',
  tx_ref: 'order-1',
  reference: 'REF1',
  currency: 'GBP',
  state: 'succeeded',
  amount_minor: 250n,
  asked_all: false,
  reason: null,
  fee_returned_minor: 0n,
  failure: null,
  refund_reference: null,
  created_at: at,
}

function page(changes: object = {}, history: readonly object[] = []) {
  const model = { refund: { ...refund, ...changes }, history, added: [] }
  return refundPage(pageAsk(), model as never).body
}

for (const [state, words] of [
  ['requested', /the network hasn’t answered yet/],
  ['submitted', /hasn’t decided/],
  ['succeeded', /up to ten days/],
  ['failed', /The refund failed .* What to do:/],
] as const)
  test(`a refund that is ${state} says what that means`, () => {
    assert.match(wordsOf(page({ state, failure: state === 'failed' ? 'card_closed' : null })), words)
    assert.equal(page({ state }).text.includes('class="problem"'), state === 'failed')
  })

test('facts that a refund doesn’t have are left out', () => {
  const facts = factsIn(page())
  for (const label of ['Reason, for the customer', 'Platform fee returned', 'At the network'])
    assert.equal(facts[label], undefined, label)
  const more = factsIn(page({ reason: 'Wrong size', fee_returned_minor: 5n, refund_reference: 're_1' }))
  assert.deepEqual(
    [more['Reason, for the customer'], more['Platform fee returned'], more['At the network']],
    ['Wrong size', '£0.05', 're_1'],
  )
})

test('the story of a refund is told the newest first, with why it failed in the end', () => {
  const history = [
    { at, event: 'accepted', to_state: 'submitted' },
    { at, event: 'refused', to_state: 'failed' },
  ]
  assert.match(
    wordsOf(page({ state: 'failed', failure: 'card_closed', asked_all: true }, history)),
    /Failed just now .+ Accepted by the network just now Requested just now Everything left on the payment\.$/,
  )
  assert.match(wordsOf(page({}, history)), /Requested just now$/)
  const late = [
    ...history,
    { at, event: 'paid_back_late', to_state: 'succeeded' },
    { at, event: 'something_new', to_state: 'succeeded' },
  ]
  assert.match(
    wordsOf(page({}, late)),
    /something new just now Paid back after all just now Failed just now Accepted/,
  )
})

const filter = { q: '', status: '', from: '', to: '' }

function list(changes: object = {}) {
  const model = { refunds: [refund], nextCursor: null, filter, isFirst: true, mayExport: true }
  return refundsPage(pageAsk(), { ...model, ...changes } as never).body
}

test('refunds are listed, exported by who may, and paged with their filter', () => {
  const [row] = tableIn(list()).rows
  assert.deepEqual([row?.slice(0, 3), row?.at(-1)], [['£2.50', 'ref-1', 'order-1'], 'just now'])
  assert.deepEqual(tableIn(list()).figures, ['Amount'])
  assert.ok('Export as CSV' in formsIn(list()))
  for (const changes of [{ mayExport: false }, { refunds: [] }])
    assert.ok(!('Export as CSV' in formsIn(list(changes))))
  const later = linksIn(list({ filter: { ...filter, q: 'x' }, nextCursor: 'c', isFirst: false }))
  assert.deepEqual([later['Older'], later['Newest']], [`${home}/refunds?q=x&cursor=c`, `${home}/refunds?q=x`])
  assert.ok(!('Older' in linksIn(list())) && !('Newest' in linksIn(list())))
})

test('an empty list says whether there are none or none that match', () => {
  assert.match(wordsOf(list({ refunds: [] })), /No refunds yet/)
  assert.doesNotMatch(list({ refunds: [] }).text, /class="filters"/)
  const filtered = list({ refunds: [], filter: { ...filter, q: 'x' } })
  assert.match(wordsOf(filtered), /No matching refunds/)
  assert.match(filtered.text, /class="filters"/)
  assert.ok('Clear' in linksIn(filtered) && !('Clear' in linksIn(list())))
})
