import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRedact, redactJson } from './erased.ts'

const redact = makeRedact('Ada@Example.com', ['Ada', 'Love Lace', 'Ada Love Lace'])

test('an e-mail address and names are erased from text and URLs in any case, but not inside other words', () => {
  assert.equal(redact('To ada@example.com: dear ADA LOVE LACE'), 'To erased@florin.invalid: dear erased')
  assert.equal(
    redact('https://a.example/?to=ada%40example.com&name=Love+Lace'),
    'https://a.example/?to=erased@florin.invalid&name=erased',
  )
  assert.equal(redact('Canada, ada@example.community'), 'Canada, erased@example.community')
})

test('in JSON, numbers keep their digits, keys and machine values stay, and meta is erased', () => {
  const text =
    '{"event":"ada","amount":10.00,"big":12345678901234567890,"Ada":{"to":["Ada"]},"meta":{"phone":"1"}}'
  assert.equal(
    redactJson(text, redact),
    '{"event":"ada","amount":10.00,"big":12345678901234567890,"Ada":{"to":["erased"]},"meta":null}',
  )
  assert.equal(redactJson('no JSON of Ada', redact), 'no JSON of erased')
})

test('a name with regex characters is taken literally', () => {
  assert.equal(
    makeRedact('a+b@c.d', ['O(X', ''])('a+b@c.d O(X aab@c.d'),
    'erased@florin.invalid erased aab@c.d',
  )
})
