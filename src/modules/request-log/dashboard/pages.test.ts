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
import { requestPage, requestsPage } from './pages.ts'

const home = '/dashboard/12345678/test'
const at = now.toISOString()
const key = {
  id: 'key_1',
  name: 'Server',
  hint: 'sk_test_…abcd',
  kind: 'secret',
  mode: 'test',
  revoked_at: null,
  ends_at: null,
  exposed_at: null,
}
const line = {
  request_id: 'req/1',
  method: 'POST',
  path: '/api/payments',
  status: 201,
  key_id: 'key_1',
  duration_us: 1_234,
  at,
}
const filter = { outcome: '', method: '', path: '', keyId: '' }

function list(changes: object = {}, days = 7) {
  const model = { lines: [line], filter, keys: [key], isFiltered: false, newest: undefined, older: undefined }
  return requestsPage(pageAsk({ dashboard: { requestLogDays: days } }), { ...model, ...changes } as never)
    .body
}
const cell = (changes: object, column: number, more: object = {}) =>
  tableIn(list({ lines: [{ ...line, ...changes }], ...more })).rows[0]?.[column]

for (const [status, tone] of [
  [200, 'good'],
  [399, 'good'],
  [400, 'warn'],
  [499, 'warn'],
  [500, 'bad'],
] as const)
  test(`a ${status} is shown as ${tone}`, () => {
    assert.match(list({ lines: [{ ...line, status }] }).text, new RegExp(`pill ${tone}">${status}<`))
  })

for (const [us, words] of [
  [1_234, '1.2 ms'],
  [99_999, '100.0 ms'],
  [100_000, '100 ms'],
  [1_500_600, '1501 ms'],
] as const)
  test(`${us} µs are shown as ${words}`, () => {
    assert.equal(cell({ duration_us: us }, 3), words)
  })

for (const [length, shown] of [
  [60, 60],
  [61, 61],
] as const)
  test(`a path of ${length} letters is ${length > 60 ? 'cut off' : 'whole'}`, () => {
    const path = `/${'x'.repeat(length - 1)}`
    const drawn = cell({ path }, 0) ?? ''
    assert.equal(drawn.length, 'POST '.length + shown)
    assert.equal(drawn.endsWith('…'), length > 60)
  })

for (const [what, changes, days, words] of [
  ['turned off', { lines: [] }, 0, /The request log is off/],
  ['empty', { lines: [] }, 7, /No requests yet .* Create a key/],
  ['filtered to nothing', { lines: [], isFiltered: true }, 7, /No matching requests/],
  [
    'filtered to nothing so far',
    { lines: [], isFiltered: true, older: '/older' },
    7,
    /No recent matches .* Older/,
  ],
] as const)
  test(`a request log that is ${what} says so`, () => {
    const drawn = list(changes, days)
    assert.match(wordsOf(drawn), words)
    assert.equal(drawn.text.includes('role="search"'), days > 0)
    assert.equal(wordsOf(drawn).includes('keeps a sample'), days > 0)
  })

for (const [days, words] of [
  [1, /from the last day\./],
  [2, /from the last 2 days\./],
] as const)
  test(`a log of ${days} days says so`, () => {
    assert.match(wordsOf(list({}, days)), words)
  })

test('a request names its key, and whether the key still works', () => {
  assert.deepEqual(tableIn(list()).rows[0], ['POST /api/payments', '201', 'Server', '1.2 ms', 'just now'])
  assert.deepEqual(tableIn(list()).figures, ['Took', 'When'])
  assert.equal(linksIn(list())['POST /api/payments'], `${home}/requests/req%2F1`)
  assert.equal(cell({}, 2, { keys: [] }), 'key_1')
  assert.match(cell({}, 2, { keys: [{ ...key, revoked_at: at }] }) ?? '', /^Server revoked/)
})

const one = { ...line, request_body: '{"a":1}', answer_body: null, warnings: null }
const page = (changes: object = {}, keys: readonly object[] = [key]) =>
  requestPage(pageAsk(), { ...one, ...changes } as never, keys as never).body

test('a request shows its bodies, indented where they are JSON', () => {
  assert.match(page().text, /\{\n {2}(?:"|&#34;|&quot;)a(?:"|&#34;|&quot;): 1\n\}/)
  assert.match(wordsOf(page()), /Response body Not JSON: a page, a file or a redirect\./)
  assert.match(wordsOf(page({ request_body: '{"cut' })), /\{"cut/)
  for (const nothing of [null, ''])
    assert.match(wordsOf(page({ request_body: nothing })), /None, or not readable\./)
})

test('a request shows its warnings, if it has any', () => {
  assert.doesNotMatch(wordsOf(page()), /Warnings/)
  const warnings = 'txRef was ignored: did you mean tx_ref?\nmetadata was ignored: did you mean meta?'
  assert.match(page({ warnings }).text, /Warnings[^]*<li>txRef was [^<]*<\/li><li>metadata was/)
})

test('a request leads to its key, unless the key was deleted', () => {
  assert.equal(linksIn(page())['Server'], `${home}/keys/key_1`)
  assert.equal(factsIn(page({}, []))['Key'], 'key_1')
  assert.equal(factsIn(page({}, [{ ...key, id: 'key_2' }]))['Key'], 'key_1')
})
