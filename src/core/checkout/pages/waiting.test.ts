import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, makePageModel, type ModelChanges } from '../../../../test/support/page-model.ts'
import type { PageModel } from '../page-model.ts'
import { waitingPage } from './waiting.ts'

const returnUrl = 'https://shop.example/thanks'

function bodyOf(changes: ModelChanges): string {
  return waitingPage(makePageModel({ state: 'pending', ...changes })).body.text
}

/** Where the page loads itself again without a script, and after how many seconds. */
function refreshOf(page: Partial<PageModel>, changes: ModelChanges = {}): string | undefined {
  const { head } = waitingPage(makePageModel({ state: 'pending', page, ...changes }))
  return /http-equiv="refresh" content="([^"]*)"/.exec(head?.text ?? '')?.[1]
}

test('without a script the page reloads three times quickly, then rarely, and stops after five minutes', () => {
  assert.equal(refreshOf({}), '5;url=/payment/1/done?looks=1')
  assert.equal(refreshOf({ looks: 2 }), '5;url=/payment/1/done?looks=3')
  assert.equal(refreshOf({ looks: 3 }), '20;url=/payment/1/done?looks=4')
  assert.equal(refreshOf({ looks: 16 }), '20;url=/payment/1/done?looks=17')
  for (const looks of [17, 18, 'off'] as const) assert.equal(refreshOf({ looks }), undefined)
  assert.equal(refreshOf({ returned: true }), '5;url=/payment/1/done?returned=1&amp;looks=1')
})

test('customers can stop the refreshing, and see that it has stopped', () => {
  const stop = '<a href="/payment/1?looks=off">Stop refreshing</a>'
  assert.ok(bodyOf({ page: { looks: 16 } }).includes(stop))
  for (const looks of [17, 'off'] as const) {
    const body = bodyOf({ page: { looks } })
    assert.ok(!body.includes(stop) && body.includes('This page no longer refreshes.'))
  }
})

const facts = ['Amount:', '£1,234.50', 'To', 'Corner shop', 'Order reference', 'order-1']

test('a waiting customer is told neither to pay again nor that no money was taken', () => {
  const lines = linesOf(
    /<section[^]*<\/section>/.exec(bodyOf({ attempt: { state: 'submitted' } }))?.[0] ?? '',
  )
  assert.deepEqual(lines, [
    'Waiting for your bank',
    ...facts,
    'Please don’t pay again.',
    'Your payment is being processed. This can take a few minutes.',
    'This page updates automatically. You can also close it and come back later with the same link.',
    'This page refreshes every few seconds for a few minutes. You can also close it and come back later with the same link.',
    'Stop refreshing',
    'Check now',
  ])
})

test('a payment that takes days says so, says when an e-mail comes, and doesn’t reload', () => {
  const attempt = { state: 'submitted' } as const
  const page = { takesDays: true, sendsMail: true }
  const lines = (changes: ModelChanges): string[] =>
    linesOf(/<section[^]*<\/section>/.exec(bodyOf({ attempt, page, ...changes }))?.[0] ?? '')
  assert.deepEqual(lines({ mode: 'live' }), [
    'Your payment is on its way',
    ...facts,
    'It can take a few working days to reach Corner shop.',
    'Please don’t pay again.',
    'We’ll e-mail a…@shop.example when it arrives. You can close this page.',
  ])
  assert.match(lines({ mode: 'live', page: { takesDays: true } }).at(-1) ?? '', /open the same link again/)
  assert.equal(refreshOf(page, { attempt }), undefined)
})

test('a payment under review doesn’t reload: that takes longer than anyone waits', () => {
  const held = { attempt: { state: 'held' } } as const
  const lines = linesOf(/<section[^]*<\/section>/.exec(bodyOf(held))?.[0] ?? '')
  assert.deepEqual(lines, [
    'Your payment needs a closer look',
    ...facts,
    'Please don’t pay again.',
    'Corner shop knows about it and will sort it out. If you get in touch, mention the reference.',
  ])
  const { title, head } = waitingPage(makePageModel({ state: 'pending', ...held }))
  assert.equal(title, 'Your payment needs a closer look')
  assert.doesNotMatch(head?.text ?? '', /refresh/)
})

test('while a network’s page is being opened, our page says so and leads there', () => {
  const hosted = { accountId: 'acc_1', connector: 'stripe', method: 'card', pageUrl: undefined } as const
  const opening: ModelChanges = { attempt: { state: 'started', hosted } }
  const body = bodyOf(opening)
  const lines = linesOf(/<section[^]*<\/section>/.exec(body)?.[0] ?? '')
  assert.equal(lines[0], 'Opening the payment page…')
  assert.ok(lines.includes('No money has been taken.'))
  assert.doesNotMatch(body, /Please don(’|&#8217;)t pay again|being processed|Waiting for your bank/)
  assert.match(body, /data-waiting="\/payment\/1\/state" data-then="\/payment\/1\/away"/)
  assert.equal(refreshOf({ looks: 1 }, opening), '5;url=/payment/1/away?looks=2')
  // A card that was sent, or a page that is being closed: money may move.
  assert.match(bodyOf({ attempt: { state: 'started' } }), /Please don(’|&#8217;)t pay again/)
  assert.match(bodyOf({ ...opening, state: 'cancelled' }), /Please don(’|&#8217;)t pay again/)
})

test('a customer who came back from a network without paying may choose again', () => {
  const linksOf = (changes: ModelChanges): string[] =>
    Array.from(bodyOf(changes).matchAll(/<a class="[^"]*" href="([^"]*)">/g), ([, href = '']) => href)
  const returned = { page: { returned: true } }
  assert.deepEqual(linksOf({ ...returned, attempt: { state: 'action_required' } }), [
    '/payment/1/done?returned=1',
    '/payment/1',
  ])
  assert.deepEqual(linksOf({ ...returned, attempt: { state: 'submitted' } }), ['/payment/1/done'])
  assert.deepEqual(linksOf({ attempt: { state: 'action_required' } }), ['/payment/1/done'])
  assert.match(bodyOf(returned), /data-waiting="\/payment\/1\/state\?returned=1"/)
  assert.match(bodyOf({}), /data-waiting="\/payment\/1\/state"/)
})

test('the way back to the shop stays open while the payment does', () => {
  const back = 'Return to Corner shop'
  assert.ok(bodyOf({ return_url: returnUrl }).includes(back))
  assert.ok(!bodyOf({ return_url: returnUrl, state: 'cancelled' }).includes(back))
})
