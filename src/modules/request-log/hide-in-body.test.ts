import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideInAnswer, hideInBody, hideInPath } from './hide-in-body.ts'

test('a request without a body is logged without one', () => {
  assert.equal(hideInBody(undefined), null)
  assert.equal(hideInBody(null), null)
  assert.equal(hideInBody({}), '{}')
})

test('an answer is scanned up to a length, and a longer one is not kept', () => {
  const answer = (length: number): string => JSON.stringify('x'.repeat(length - 2))
  assert.equal(hideInAnswer(answer(4_096)), answer(4_096))
  assert.equal(hideInAnswer(answer(4_097)), `${answer(4_097).slice(0, 4_096)}…`)
  assert.match(hideInAnswer(answer(65_536)), /^"x{4095}…$/)
  assert.equal(hideInAnswer(answer(65_537)), '[too long to keep: 65537 characters]')
})

test('a URL is logged decoded, up to a length, without card numbers', () => {
  assert.equal(hideInPath('/api/transaction/caf%C3%A9'), '/api/transaction/café')
  assert.equal(hideInPath('/api/transaction/50%'), '/api/transaction/50%')
  assert.equal(hideInPath('/a/4242424242424242?b=4242424242424242'), '/a/[hidden]?b=[hidden]')
  // In groups that a look through plain text does not take for one number.
  assert.equal(hideInPath('/a/4242.4242.4242.4242'), '/a/[hidden]')
  assert.equal(hideInPath('/a%0Ab'), '/a b')
  const long = `/${'a'.repeat(511)}`
  assert.equal(hideInPath(long), long)
  assert.equal(hideInPath(`${long}b`), `${long}…`)
})

test('a URL’s query is logged without the values of secret parameters', () => {
  for (const name of [
    'password',
    'client_secret',
    'token',
    'key',
    'Authorization',
    'cvc',
    'api_key',
    'card[cvc]',
    'email',
  ])
    assert.equal(hideInPath(`/a?b=1&${name}=s%26x&c=2`), `/a?b=1&${name}=[hidden]&c=2`, name)
  assert.equal(hideInPath('/a?p%61ssword=x?y&token='), '/a?password=[hidden]&token=')
  assert.equal(hideInPath('/a?search=caf%C3%A9&per_page=5'), '/a?search=café&per_page=5')
  assert.equal(hideInPath('/a?4242424242424242'), '/a?[hidden]')
})

const card = '4242.4242.4242.4242'

// What was sent, and what is written down of it.
const fields: readonly (readonly [sent: object, kept: object])[] = [
  [
    { amount: 12.5, currency: 'GBP', live: true },
    { amount: 12.5, currency: 'GBP', live: true },
  ],
  [
    { first_name: 'Ada', Last_Name: 'Lovelace', phone: '+44', iban: 'GB', account_number: '1', sealed: 'x' },
    {
      first_name: '[hidden]',
      Last_Name: '[hidden]',
      phone: '[hidden]',
      iban: '[hidden]',
      account_number: '[hidden]',
      sealed: '[hidden]',
    },
  ],
  [
    { first_name: '', token: null, last_name: false },
    { first_name: '', token: null, last_name: '[hidden]' },
  ],
  [
    { 'X-Api-Key': 'a', webhookSecret: ['b'], pin: 1, spin: 1, cvv: { deep: 1 } },
    { 'X-Api-Key': '[hidden]', webhookSecret: '[hidden]', pin: '[hidden]', spin: 1, cvv: '[hidden]' },
  ],
  [
    { note: card, count: 4242424242424242, list: [card, 'two'], meta: { deep: { note: `at ${card}` } } },
    { note: '[hidden]', count: '[hidden]', list: ['[hidden]', 'two'], meta: { deep: { note: '[hidden]' } } },
  ],
  [{ meta: { [card]: 'a', shelf: 'b' } }, { meta: { '[hidden]': 'a', shelf: 'b' } }],
]

test('everything in a body is kept except secrets, cards and personal data, at any depth', () => {
  for (const [sent, kept] of fields) {
    assert.deepEqual(JSON.parse(hideInBody(sent) ?? ''), kept)
    // A name that was judged before is judged the same.
    assert.equal(hideInBody(new Map(Object.entries(sent))), JSON.stringify(kept))
  }
})

test('only short field names are cached, up to a limit: callers choose them', (t) => {
  const remembering = t.mock.method(Map.prototype, 'set')
  const remembered = (): number =>
    remembering.mock.calls.filter(({ arguments: [, is] }) => is === false).length
  const body = (length: number, from: number, count: number): object =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${from + index}`.padEnd(length, 'x'), 'value']),
    )
  hideInBody(body(41, 0, 10))
  assert.equal(remembered(), 0)
  hideInBody(body(40, 0, 10))
  hideInBody(body(40, 0, 10))
  assert.equal(remembered(), 10)
  hideInBody(body(8, 0, 3_000))
  assert.ok(remembered() <= 1_000, `${remembered()} are remembered`)
})
