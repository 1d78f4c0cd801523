import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoAnswer, quote } from './no-answer.ts'

const account = { id: 'acc_1', credentials: { secret_key: 'sk_live_1', webhook_secret: '' }, sandbox: false }

for (const [what, words, expected] of [
  [
    'hides a credential wherever it appears',
    'sk_live_1: no such key sk_live_1',
    '[hidden]: no such key [hidden]',
  ],
  ['is put on one line', '  two\n\tlines  ', 'two lines'],
  ['keeps 300 characters', 'x'.repeat(300), 'x'.repeat(300)],
  ['is cut after 300 characters', 'x'.repeat(301), 'x'.repeat(300)],
  ['stays as it is without a credential in it', 'No such customer', 'No such customer'],
] as const)
  test(`a network’s message ${what}`, () => {
    assert.equal(quote(words, account), expected)
  })

test('no answer names the network, the reason and how long it asked us to wait', () => {
  const { message, retryAfterMs, name } = new NoAnswer('Fakepay', 'status 503', 2_000)
  assert.deepEqual([name, message, retryAfterMs], ['NoAnswer', 'Fakepay gave no answer: status 503', 2_000])
  assert.equal(new NoAnswer('Fakepay', 'status 503').retryAfterMs, undefined)
})
