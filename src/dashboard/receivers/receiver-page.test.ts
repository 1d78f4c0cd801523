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
} from '../../../test/support/dashboard/page-ask.ts'
import type { DeliveryInFull } from '../../core/notifications/receivers/browse-deliveries.ts'
import type { ReceiverInFull } from '../../core/notifications/receivers/list-receivers.ts'
import { deliveriesPage } from './deliveries-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { receiverPage, resendPage } from './receiver-page.ts'
import { counted, receiverPill, receiversPage } from './receivers-page.ts'
import { testPage } from './test-page.ts'

const at = now.toISOString()
const home = '/dashboard/12345678/test'

const delivery = {
  id: 'ntf_1',
  event: 'payment.success',
  state: 'delivered',
  target: 'https://shop.example/ipn',
  origin: 'https://shop.example',
  number: '42',
  created_at: at,
  next_try_at: null,
  body: '{"a":[1,2],"b":{},"c":"x{,"}',
  attempts: [],
} as unknown as DeliveryInFull

const attempt = (changes: object) => ({
  attempt: 1,
  at,
  ms: 12,
  status: 200,
  error: null,
  answer: null,
  ...changes,
})

function shown(changes: object = {}, role: 'owner' | 'viewer' = 'owner') {
  return deliveryPage(pageAsk({ role }), { ...delivery, ...changes }).body
}

test('a notification can be sent again by who may, when it has somewhere to go', () => {
  assert.deepEqual(formsIn(shown()), { 'Send again': `${home}/notifications/sent/ntf_1/do/resend` })
  assert.deepEqual(formsIn(shown({ target: '' })), {})
  assert.deepEqual(formsIn(shown({}, 'viewer')), {})
})

test('the page of a notification refreshes while it waits, and not afterwards', () => {
  assert.match(shown({ state: 'waiting' }).text, /data-again="delivery"/)
  assert.doesNotMatch(shown().text, /data-again/)
})

test('a notification shows where it goes, what it is about and when it is tried next', () => {
  const facts = factsIn(shown({ next_try_at: at }))
  assert.equal(facts['To'], 'https://shop.example/ipn')
  assert.equal(facts['Next attempt'], '18 November 2026, 12:00 UTC')
  assert.equal(
    linksIn(shown())['https://shop.example'],
    `${home}/notifications/receiver?origin=https%3A%2F%2Fshop.example`,
  )
  assert.equal(linksIn(shown())['Open'], `${home}/payments/42`)
  const other = factsIn(shown({ target: '', origin: '', number: null }))
  assert.match(other['To'] ?? '', /no callback_url/)
  assert.equal(other['Receiver'], undefined)
  assert.equal(other['Payment'], 'None (test notification)')
  assert.equal(other['Next attempt'], undefined)
})

for (const [status, tone] of [
  [199, 'bad'],
  [200, 'good'],
  [299, 'good'],
  [300, 'bad'],
  [null, 'bad'],
] as const)
  test(`an attempt that is answered with ${status} is ${tone}`, () => {
    const page = shown({ attempts: [attempt({ status, error: status === null ? 'timeout' : null })] })
    assert.match(page.text, new RegExp(`<li class="${tone}">`))
  })

test('attempts are listed the newest first, with the response where there is one', () => {
  const page = shown({ attempts: [attempt({ status: 500, answer: 'oh no' }), attempt({ answer: '  ' })] })
  assert.match(wordsOf(page), /Attempt 2.*Attempt 1.*oh no/)
  assert.equal(page.text.match(/Response to attempt/g)?.length, 1)
  assert.match(wordsOf(shown()), /None yet/)
})

test('the body is indented for reading, and stays the same otherwise', () => {
  const [, code = ''] = /aria-label="Body"><code>([^]*?)<\/code>/.exec(shown().text) ?? []
  const lines = ['{', '  "a": [', '    1,', '    2', '  ],', '  "b": {},', '  "c": "x{,"', '}']
  assert.equal(code.replaceAll('&quot;', '"'), lines.join('\n'))
})

for (const [count, words] of [
  [0, '0'],
  [1_000, '1000'],
  [1_001, '1,000+'],
] as const)
  test(`${count} are counted as ${words}`, () => {
    assert.equal(counted(count), words)
  })

const receiver = {
  origin: 'https://shop.example',
  state: 'works',
  failingSince: null,
  pausedAt: null,
  isPausedByHand: false,
  lastAt: at,
  waiting: 2,
  paused: 3,
  failed: 4,
  oldest_at: null,
  reasons: [],
} as unknown as ReceiverInFull

test('receivers are listed with what waits and what failed', () => {
  const page = receiversPage(pageAsk(), [receiver]).body
  assert.deepEqual(tableIn(page).rows, [['https://shop.example', 'works', 'just now', '', '5', '4']])
  assert.deepEqual(tableIn(page).figures, ['Waiting', 'Failed'])
  assert.match(wordsOf(receiversPage(pageAsk(), []).body), /No receivers yet/)
  assert.ok('Send a test' in linksIn(page))
  assert.ok(!('Send a test' in linksIn(receiversPage(pageAsk({ role: 'support' }), []).body)))
})

for (const [state, tone] of [
  ['works', 'good'],
  ['failing', 'bad'],
  ['paused', 'warn'],
] as const)
  test(`a receiver that is ${state} has the tone ${tone}`, () => {
    assert.match(receiverPill({ ...receiver, state }).text, new RegExp(`class="pill ${tone}"`))
  })

function one(changes: object = {}, role: 'owner' | 'support' | 'viewer' = 'owner') {
  return receiverPage(pageAsk({ role }), { ...receiver, ...changes }).body
}

for (const [what, changes, role, actions] of [
  ['works', {}, 'owner', ['Send a test', 'Pause', 'Resend failed']],
  ['is paused', { state: 'paused' }, 'owner', ['Send a test', 'Resend failed', 'Resume']],
  ['has nothing failed', { failed: 0 }, 'owner', ['Send a test', 'Pause']],
  ['works, for support', {}, 'support', ['Resend failed']],
  ['works, for a viewer', {}, 'viewer', []],
] as const)
  test(`a receiver that ${what} offers ${actions.join(', ') || 'nothing'}`, () => {
    const [, nav = ''] = /aria-label="Actions">([^]*?)<\/nav>/.exec(one(changes, role).text) ?? []
    assert.equal(wordsOf(nav), actions.join(' '))
  })

for (const [changes, words] of [
  [{}, /It accepts notifications\. The latest was sent just now/],
  [{ lastAt: null }, /It accepts notifications\.(?! The latest)/],
  [{ state: 'failing' }, /ten times over three days/],
  [{ state: 'paused', isPausedByHand: true }, /Someone on your team paused it/],
  [{ state: 'paused' }, /Every attempt failed for 120 hours/],
] as const)
  test(`a receiver with ${JSON.stringify(changes)} says ${words.source}`, () => {
    assert.match(wordsOf(one(changes)), words)
  })

test('a receiver links to what waits, and shows what has a time', () => {
  const sent = `${home}/notifications/sent?receiver=https%3A%2F%2Fshop.example`
  assert.equal(linksIn(one())['4'], `${sent}&state=failed`)
  assert.equal(linksIn(one())['Every notification to this receiver'], sent)
  const none = factsIn(one({ failed: 0, waiting: 0, paused: 0 }))
  assert.deepEqual([none['Waiting'], none['Failed permanently']], ['0', '0'])
  assert.equal(none['Paused, until you resume'], undefined)
  assert.equal(none['Failing since'], undefined)
  assert.equal(factsIn(one({ failingSince: at }))['Failing since'], '18 November 2026, 12:00 UTC')
  assert.doesNotMatch(wordsOf(one()), /Why attempts failed/)
  const why = one({ reasons: [{ status: 500, error: null, last_at: at, count: 7 }] })
  assert.deepEqual(tableIn(why).figures, ['Notifications'])
  assert.equal(tableIn(why).rows[0]?.at(-1), '7')
})

test('resending says how many, and that there is a most at a time when there are several', () => {
  const page = (failed: number): string => wordsOf(resendPage(pageAsk(), { ...receiver, failed }, 1_000).body)
  assert.match(page(1), /One notification to/)
  assert.doesNotMatch(page(1), /at most/)
  assert.match(page(2), /2 notifications to .* It sends at most 1,000 at a time, oldest first\./)
})

const filter = { receiver: '', state: '', event: '', from: '', to: '' } as const

function list(changes: object = {}) {
  const model = {
    deliveries: [],
    filter,
    nextCursor: undefined,
    isCutShort: false,
    isFirst: true,
    txRefs: new Map(),
  }
  return deliveriesPage(pageAsk(), { ...model, ...changes }).body
}

for (const [what, changes, words, hasFilters] of [
  ['nothing was ever sent', {}, /No notifications yet/, false],
  ['nothing matches', { filter: { ...filter, state: 'failed' } }, /No matching notifications/, true],
  ['nothing recent matches', { isCutShort: true }, /No recent matches/, false],
] as const)
  test(`the list says when ${what}`, () => {
    assert.match(wordsOf(list(changes)), words)
    assert.equal(list(changes).text.includes('class="filters"'), hasFilters)
  })

test('a listed notification shows its payment and its last response', () => {
  const row = (changes: object): string[] | undefined =>
    tableIn(
      list({
        deliveries: [{ ...delivery, status: 500, error: null, ...changes }],
        txRefs: new Map([['42', 'order-1']]),
      }),
    ).rows[0]
  assert.equal(row({})?.[1], 'order-1')
  assert.equal(row({ number: null })?.[1], '')
  assert.match(row({})?.[3] ?? '', /500/)
  assert.equal(row({ status: null })?.[3], '')
  assert.equal(row({ target: '' })?.[3], 'No callback_url')
})

test('the list leads on to older ones and back, and keeps its filter', () => {
  const filtered = { ...filter, state: 'failed' }
  const page = linksIn(list({ deliveries: [delivery], filter: filtered, nextCursor: 'c', isFirst: false }))
  assert.equal(page['Older'], `${home}/notifications/sent?state=failed&cursor=c`)
  assert.equal(page['Newest'], `${home}/notifications/sent?state=failed`)
  const first = linksIn(list({ deliveries: [delivery] }))
  assert.ok(!('Older' in first) && !('Newest' in first))
  assert.match(wordsOf(list({ deliveries: [delivery], isCutShort: true })), /There may be older matches/)
  assert.doesNotMatch(wordsOf(list({ deliveries: [delivery] })), /older matches/)
})

test('a test notification asks for https in live mode', () => {
  assert.match(wordsOf(testPage(pageAsk({ mode: 'live' })).body), /The https URL/)
  assert.doesNotMatch(wordsOf(testPage(pageAsk()).body), /The https URL/)
  assert.match(testPage(pageAsk()).body.text, /value="payment.success" selected/)
  assert.match(testPage(pageAsk(), { event: 'payment.failed' }).body.text, /value="payment.failed" selected/)
})
