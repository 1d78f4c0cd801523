import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
} from '../../../../test/support/dashboard/page-ask.ts'
import { inZone } from '../../../dashboard/parts/parts.ts'
import { describeReason } from '../evidence.ts'
import { disputed, disputePill, dueIn } from './describe-dispute.ts'
import { disputePage } from './dispute-page.ts'
import { disputesPage, views } from './disputes-page.ts'
import { describeReply } from './reply-words.ts'

const home = '/dashboard/12345678/test'
const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000)

for (const [left, words, isUrgent] of [
  [-0.01, 'over', false],
  [0, 'within the hour', true],
  [1.99, 'within the hour', true],
  [2, 'in 2 hours', true],
  [47.9, 'in 47 hours', true],
  [48, 'in 2 days', true],
  [71.9, 'in 2 days', true],
  [72, 'in 3 days', false],
] as const)
  test(`evidence that is due in ${left} hours is due ${words}, ${isUrgent ? '' : 'not '}urgently`, () => {
    const drawn = dueIn(hours(left), inZone(now, 'UTC'))
    assert.equal(wordsOf(drawn), words)
    assert.equal(drawn.text.startsWith('<strong>'), isUrgent)
  })

const dispute = {
  id: 'dsp_1',
  number: '42',
  mode: 'test',
  tx_ref: 'order-1',
  connector: 'stripe',
  reference: 'du_1',
  state: 'evidence_due',
  reason: 'product_not_received',
  amount_minor: 1_000n,
  currency: 'GBP',
  money_taken: true,
  opened_at: now.toISOString(),
  evidence_due_at: hours(48).toISOString(),
  loss: { lossMinor: 0n, refundedMinor: 0n, takenMinor: 1_000n, currency: 'GBP' },
}

for (const [state, word, tone] of [
  ['evidence_due', 'needs an answer', 'warn'],
  ['under_review', 'under review', ''],
  ['won', 'won', 'good'],
  ['lost', 'lost', 'bad'],
] as const)
  test(`a dispute that is ${state} is marked as ${word}`, () => {
    assert.equal(disputePill(state).text, `<span class="pill ${tone}">${word}</span>`)
  })

test('an amount in an unknown currency is shown in minor units', () => {
  assert.equal(wordsOf(disputed(dispute as never)), '£10.00')
  assert.equal(wordsOf(disputed({ ...dispute, currency: 'XXX' } as never)), '1000 XXX (in minor units)')
  assert.equal(describeReason('product_not_received'), 'Product not received')
})

const network = { label: 'Stripe', disputeUrl: (reference: string) => `https://stripe.example/${reference}` }

function page(changes: object = {}, more: object = {}) {
  const told = { history: [], replies: [], names: new Map([['per_1', 'Ada']]), answering: 'at_network' }
  const model = { dispute: { ...dispute, ...changes }, network, ...told, ...more }
  return disputePage(pageAsk(), model as never).body
}

for (const [state, money_taken, words] of [
  ['evidence_due', true, /The bank holds the money.* If you don’t answer, you lose/],
  ['evidence_due', false, /hasn’t taken any money/],
  ['under_review', true, /has your evidence and is deciding/],
  ['won', true, /on its way back to you/],
  ['won', false, /You keep the money/],
  ['lost', true, /Treat the order as unpaid/],
  ['lost', false, /took no money from you/],
] as const)
  test(`a dispute that is ${state} while the bank has ${money_taken ? 'the' : 'no'} money says so`, () => {
    const shown = page({ state, money_taken })
    assert.match(wordsOf(shown), words)
    assert.equal(factsIn(shown)['Money'], money_taken ? 'The bank has it' : 'You have it')
    assert.equal(wordsOf(shown).includes('What to send'), state === 'evidence_due')
    assert.equal(factsIn(shown)['Evidence due'] !== undefined, state === 'evidence_due')
  })

test('evidence is sent at the network, where it has a page for that', () => {
  assert.equal(linksIn(page())['Answer at Stripe'], 'https://stripe.example/du_1')
  assert.ok(!('Answer at the network' in linksIn(page({}, { network: undefined }))))
  assert.equal(
    factsIn(page({ connector: 'test-network' }, { network: undefined }))['Network'],
    'Test network',
  )
  assert.match(wordsOf(page({ mode: 'live' })), /Send it from your Stripe dashboard/)
  assert.match(wordsOf(page({ loss: { ...dispute.loss, refundedMinor: 1n } })), /Proof of your refund/)
  assert.doesNotMatch(wordsOf(page()), /Proof of your refund/)
  assert.equal(factsIn(page({ evidence_due_at: null }))['Evidence due'], undefined)
})

const answers = {
  'Send evidence': `${home}/disputes/dsp_1/answer`,
  'Accept the dispute': `${home}/disputes/dsp_1/accept`,
}

test('a dispute that Florin can answer leads to both answers, for those who may refund', () => {
  const here = page({}, { answering: 'here' })
  const { ['Send evidence']: send, ['Accept the dispute']: accept } = linksIn(here)
  assert.deepEqual({ 'Send evidence': send, 'Accept the dispute': accept }, answers)
  assert.match(wordsOf(here), /with winning_evidence in a text wins/)
  assert.doesNotMatch(wordsOf(page({ mode: 'live' }, { answering: 'here' })), /test network/)
  assert.ok(!('Answer at Stripe' in linksIn(here)))
  const reason = 'Your earlier answer is on its way'
  const waiting = page({}, { answering: { reason } })
  assert.match(wordsOf(waiting), /Your earlier answer is on its way\./)
  assert.ok(!('Send evidence' in linksIn(waiting)))
})

test('a viewer is told who can answer', () => {
  const ask = pageAsk({ role: 'viewer' })
  const told = { history: [], replies: [], names: new Map(), answering: 'here' }
  const { body } = disputePage(ask, { dispute, network, ...told } as never)
  assert.match(wordsOf(body), /An owner or someone from support can send evidence/)
  assert.ok(!('Send evidence' in linksIn(body)))
})

test('the history shows who answered what, before the network’s move of the same moment', () => {
  const at = now.toISOString()
  const step = { at, state: 'under_review', money_taken: true, reason: 'a', evidence_due_at: null }
  const parts = ['product_description', 'delivery_file']
  const reply = { kind: 'evidence', state: 'sent', actor: 'per_1', parts, failure: null, ended_at: at }
  assert.match(
    wordsOf(page({}, { history: [step], replies: [reply] })),
    /Under review just now .*Evidence sent to the network just now By Ada\. What you sold, Proof of delivery \(file\)\.$/,
  )
})

for (const [changes, title, words] of [
  [{ state: 'requested' }, 'Evidence is on its way to the network', /Florin asks until it does/],
  [{ state: 'not_sent' }, 'The evidence didn’t reach the network', /Send it again before it is due/],
  [
    { state: 'refused', failure: 'The deadline has passed.' },
    'The network refused the evidence',
    /The deadline has passed\.$/,
  ],
  [{ kind: 'acceptance', parts: [] }, 'Dispute accepted', /^By per_9\.$/],
] as const)
  test(`an answer that is ${JSON.stringify(changes)} is shown as ${title}`, () => {
    const given = { kind: 'evidence', state: 'sent', actor: 'per_9', parts: ['explanation'], failure: null }
    const times = { requested_at: now.toISOString(), ended_at: now.toISOString() }
    const told = describeReply({ ...given, ...times, ...changes } as never, new Map())
    assert.equal(told.title, title)
    assert.match(told.detail, words)
  })

test('the history tells the newest first what changed each time', () => {
  const due = hours(48).toISOString()
  const step = {
    at: now.toISOString(),
    state: 'evidence_due',
    money_taken: true,
    reason: 'a',
    evidence_due_at: due,
  }
  const history = [
    step,
    { ...step, reason: 'other_reason' },
    { ...step, state: 'won', reason: 'other_reason', money_taken: false },
  ]
  assert.match(
    wordsOf(page({}, { history })),
    /Won just now The money came back\. Update from the network just now Reason: Other reason\. The bank asked for evidence just now The bank took the money\. Evidence due by 20 November 2026, 12:00 UTC\.$/,
  )
})

function list(changes: object = {}) {
  const model = { disputes: [dispute], view: 'to_answer', txRef: '', nextCursor: null, isFirst: true }
  return disputesPage(pageAsk(), { ...model, ...changes } as never).body
}

for (const [view, columns] of [
  ['to_answer', ['£10.00', 'order-1', 'Product not received', 'in 2 days', 'just now']],
  ['all', ['£10.00', 'order-1', 'Product not received', 'needs an answer', 'in 2 days', 'just now']],
  ['won', ['£10.00', 'order-1', 'Product not received', 'needs an answer', 'just now']],
] as const)
  test(`the view ${view} shows ${columns.length} columns`, () => {
    assert.deepEqual(tableIn(list({ view })).rows, [columns])
    assert.deepEqual(tableIn(list({ view })).figures, ['Amount'])
    assert.equal(list({ view }).text.includes('class="filters"'), view === 'all')
  })

test('a deadline is shown while evidence is due', () => {
  assert.equal(tableIn(list({ disputes: [{ ...dispute, state: 'won' }] })).rows[0]?.[3], '')
  assert.equal(tableIn(list({ disputes: [{ ...dispute, evidence_due_at: null }] })).rows[0]?.[3], '')
})

for (const [changes, words] of [
  [{}, /Nothing to answer/],
  [{ view: 'won' }, /No dispute is in this state/],
  [{ view: 'all', txRef: 'order-9' }, /No matching dispute/],
] as const)
  test(`an empty list with ${JSON.stringify(changes)} says ${words.source}`, () => {
    assert.match(wordsOf(list({ disputes: [], ...changes })), words)
  })

test('one view is open, and pages keep it', () => {
  for (const view of views) assert.equal(list({ view }).text.match(/aria-current="page"/g)?.length, 1)
  const won = linksIn(list({ view: 'won', nextCursor: 'c', isFirst: false }))
  assert.deepEqual(
    [won['Older'], won['Newest']],
    [`${home}/disputes?show=won&cursor=c`, `${home}/disputes?show=won`],
  )
  const first = linksIn(list({ isFirst: false, nextCursor: 'c' }))
  assert.deepEqual(
    [first['Older'], first['Newest'], first['To answer']],
    [`${home}/disputes?cursor=c`, `${home}/disputes`, `${home}/disputes`],
  )
  const found = linksIn(list({ view: 'all', txRef: 'order-1', nextCursor: 'c' }))
  assert.equal(found['Older'], `${home}/disputes?q=order-1&cursor=c`)
  assert.ok(!('Newest' in found))
})
