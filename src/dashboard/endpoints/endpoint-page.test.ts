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
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import type { Endpoint } from '../../core/notifications/endpoints/find-endpoints.ts'
import { bodyIn, editEndpointPage, newEndpointPage } from './endpoint-form.ts'
import { endpointPage } from './endpoint-page.ts'
import { endpointPill, endpointsPage } from './endpoints-page.ts'

const at = now.toISOString()
const endpoint: Endpoint = {
  id: 'ep_1',
  url: 'https://shop.example/hooks',
  description: '',
  events: ['*'],
  mode: 'test',
  status: 'active',
  failing_since: null,
  paused_at: null,
  created_at: at,
}
const page = (changes: Partial<Endpoint> = {}, ask: AskChanges = {}) =>
  endpointPage(pageAsk(ask), { ...endpoint, ...changes }).body

for (const [what, changes, ask, forms] of [
  ['active', {}, {}, ['Send a test', 'Pause']],
  ['paused', { status: 'paused' }, {}, ['Send a test', 'Resume']],
  ['active, for a viewer', {}, { role: 'viewer' }, []],
  ['a program that listens', { url: null, status: 'listening' }, {}, []],
] as const)
  test(`an endpoint that is ${what} offers ${forms.join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(Object.keys(formsIn(page(changes, ask))), forms)
    assert.equal('Edit' in linksIn(page(changes, ask)), forms.length > 0)
  })

for (const [status, tone, words] of [
  ['active', 'good', /^(?!.*(Nothing is sent|ten times|florin listen))/],
  ['listening', 'good', /florin listen/],
  ['failing', 'bad', /ten times over three days/],
  ['paused', 'warn', /Nothing is sent here/],
] as const)
  test(`an endpoint that is ${status} says what that means`, () => {
    assert.match(endpointPill({ ...endpoint, status }).text, new RegExp(`pill ${tone}`))
    assert.match(wordsOf(page({ status })), words)
  })

test('an endpoint shows what it gets, and leaves out what it has not', () => {
  const facts = factsIn(page())
  assert.equal(facts['Events'], 'All, including ones added later')
  assert.deepEqual(
    [facts['Description'], facts['Paused'], facts['Failing since']],
    [undefined, undefined, undefined],
  )
  assert.equal(
    factsIn(page({ events: ['payment.success', 'payment.failed'] }))['Events'],
    'payment.success, payment.failed',
  )
  assert.equal(factsIn(page({ paused_at: at }))['Paused'], '18 November 2026, 12:00 UTC')
  assert.equal(factsIn(page({ description: 'Books' }))['Description'], 'Books')
  const listening = factsIn(page({ url: null }))
  assert.deepEqual([listening['Secret'], listening['Sent']], [undefined, undefined])
  assert.match(facts['Secret'] ?? '', /whsec_/)
})

const list = (endpoints: readonly Endpoint[], ask: AskChanges = {}) =>
  endpointsPage(pageAsk(ask), endpoints).body
const many = (count: number): Endpoint[] => Array.from({ length: count }, () => endpoint)

for (const [what, endpoints, canAdd, isFull] of [
  ['no endpoints', [], true, false],
  ['nine endpoints', many(9), true, false],
  ['ten endpoints', many(10), false, true],
  ['nine endpoints and a program that listens', [...many(9), { ...endpoint, url: null }], true, false],
] as const)
  test(`a shop with ${what} can${canAdd ? '' : '’t'} add one`, () => {
    assert.equal('Add endpoint' in linksIn(list(endpoints)), canAdd)
    assert.equal(wordsOf(list(endpoints)).includes('limit of ten endpoints'), isFull)
    assert.ok(!('Add endpoint' in linksIn(list(endpoints, { role: 'viewer' }))))
    assert.equal(wordsOf(list(endpoints)).includes('No endpoints yet'), endpoints.length === 0)
  })

for (const [events, words] of [
  [['*'], 'All'],
  [['payment.success'], 'payment.success'],
  [['payment.success', 'payment.failed'], '2 events'],
] as const)
  test(`an endpoint for ${events.join(' and ')} is listed with ${words}`, () => {
    assert.equal(tableIn(list([{ ...endpoint, events }])).rows[0]?.[2], words)
  })

test('the form keeps the events that were chosen, and reads none as all', () => {
  const fields = new Map([
    ['url', 'https://a.example'],
    ['event payment.success', 'yes'],
    ['event payment.failed', 'no'],
  ])
  assert.deepEqual(bodyIn(pageAsk({ fields })), {
    url: 'https://a.example',
    description: '',
    events: ['payment.success'],
  })
  const checked = (text: string): string[] =>
    [...text.matchAll(/name="event ([\w.]+)" value="yes" checked/g)].map(([, event = '']) => event)
  assert.deepEqual(checked(newEndpointPage(pageAsk({ fields: fields })).body.text), ['payment.success'])
  assert.deepEqual(checked(editEndpointPage(pageAsk(), endpoint).body.text), [])
  assert.deepEqual(
    checked(editEndpointPage(pageAsk(), { ...endpoint, events: ['payment.failed'] }).body.text),
    ['payment.failed'],
  )
  assert.match(wordsOf(newEndpointPage(pageAsk({ mode: 'live' })).body), /The https URL of your server/)
  assert.doesNotMatch(wordsOf(newEndpointPage(pageAsk()).body), /The https URL of your server/)
})
