import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formsIn,
  linksIn,
  now,
  pageAsk,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { payment } from '../../../test/support/dashboard/payment-model.ts'
import { startPage } from './page.ts'
import type { Start } from './read-start.ts'

const nothing: Start = {
  payment: undefined,
  received: [],
  keyCount: 0,
  isDone: { create: false, pay: false, notice: false, call: false },
}
const created = {
  ...nothing,
  payment: { ...payment, state: 'pending' },
  isDone: { ...nothing.isDone, create: true },
} as Start
const paid = { ...created, payment, isDone: { ...created.isDone, pay: true } } as Start
const received = {
  id: 'ntf_1',
  created_at: now.toISOString(),
  ms: 12,
  event: 'payment.success',
  state: 'delivered',
  status: 200,
  error: null,
  at: now.toISOString(),
  target: 'https://pay.example.com/test-receiver',
  body: '{"a":1}',
}
const told = { ...paid, received: [received], isDone: { ...paid.isDone, notice: true } } as Start
const all = { ...told, isDone: { ...told.isDone, call: true } } as Start

const page = (start: Start, ask: AskChanges = {}, freshKey?: string) =>
  startPage(pageAsk(ask), start, freshKey).body
const next = (start: Start, freshKey?: string): string =>
  wordsOf(/<li class="[^"]*next"[^]*?<h2>([^]*?)<\/h2>/.exec(page(start, {}, freshKey).text)?.[1])

for (const [what, start, count, step] of [
  ['nothing', nothing, 0, 'Create a test payment'],
  ['a payment', created, 1, 'Pay it with a test card'],
  ['a paid payment', paid, 2, 'See the notification arrive'],
  ['a notification', told, 3, 'Create one from your own code'],
  ['a call', all, 4, ''],
] as const)
  test(`a shop with ${what} has done ${count} of 4 steps`, () => {
    assert.match(wordsOf(page(start)), new RegExp(`${count} of 4 done`))
    assert.equal(next(start), step)
    assert.equal(wordsOf(page(start)).includes('All four steps are done'), count === 4)
    assert.equal(page(start).text.includes('data-again="first-steps"'), count < 4)
    assert.equal((count === 4 ? 'Go to your shop' : 'Not now') in formsIn(page(start)), true)
  })

test('a new key is shown with the code, and the page no longer refreshes', () => {
  const shown = page(told, {}, 'sk_test_1')
  assert.match(shown.text, /value="sk_test_1"/)
  assert.doesNotMatch(shown.text, /data-again/)
  assert.equal(next(nothing, 'sk_test_1'), 'Create one from your own code')
})

test('who can’t create payments or keys is told who can', () => {
  const viewer = page(nothing, { role: 'viewer' })
  assert.match(wordsOf(viewer), /Your role is view-only/)
  assert.match(wordsOf(viewer), /Owners and developers can create keys/)
  assert.deepEqual(Object.keys(formsIn(viewer)), ['Not now'])
  assert.ok('Create a test key and show the code' in formsIn(page(nothing)))
  assert.ok('Create another one' in formsIn(page(created)))
})

test('a payment that can’t be paid any more is replaced by another one', () => {
  const over = { ...created, payment: { ...payment, state: 'expired' } } as Start
  assert.match(wordsOf(page(over)), /This payment is expired and can no longer be paid/)
  assert.ok('Open the checkout' in linksIn(page(created)))
  assert.ok(!('Open the checkout' in linksIn(page(paid))))
  assert.match(wordsOf(page(created)), /This page updates when it is paid/)
  assert.doesNotMatch(wordsOf(page(paid)), /This page updates when it is paid/)
})

for (const [changes, words] of [
  [{}, /received, response 200 18 November 2026, 12:00 UTC/],
  [{ state: 'waiting', at: null, status: null }, /on its way/],
  [{ state: 'waiting', status: 500 }, /response 500/],
  [{ state: 'waiting', status: null, error: 'connection_refused' }, /not received: connection refused/],
  [{ state: 'waiting', status: null }, /not received: no response/],
] as const)
  test(`a notification with ${JSON.stringify(changes)} is shown as ${words.source}`, () => {
    const start = { ...paid, received: [{ ...received, ...changes }] } as unknown as Start
    assert.match(wordsOf(page(start)), words)
  })

test('a payment without a receiver says why nothing arrives, and one that waits that Florin retries', () => {
  assert.match(
    wordsOf(page({ ...paid, received: [{ ...received, target: '' }] } as Start)),
    /has no callback_url/,
  )
  assert.match(wordsOf(page({ ...paid, received: [received] } as Start)), /Florin retries automatically/)
  assert.doesNotMatch(wordsOf(page(told)), /Florin retries automatically/)
  assert.match(wordsOf(page(created)), /as soon as the payment is paid/)
  assert.doesNotMatch(wordsOf(page(nothing)), /as soon as the payment is paid/)
})

test('somebody without a password is asked to set one', () => {
  assert.match(wordsOf(page(nothing, { person: { hasPassword: false } })), /Keep access/)
  assert.doesNotMatch(wordsOf(page(nothing)), /Keep access/)
})
