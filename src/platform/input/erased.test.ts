import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRedact, redactJson, redactUrl, spellings } from './erased.ts'

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

test('an address is erased in every percent-encoded spelling, also right after an encoded character', () => {
  const erase = makeRedact('ada.löve@example.com', ['Ada Löve'])
  for (const spelled of [
    'ada.löve%40example.com',
    'ada%2El%C3%B6ve@example%2ecom',
    '%41da.l%c3%96ve%2540example.com',
    'ada.l%25c3%25b6ve%252540example.com',
  ]) {
    assert.equal(erase(`?next=%2Fx%3Dy%2F${spelled}&z`), '?next=%2Fx%3Dy%2Ferased@florin.invalid&z', spelled)
    assert.match('?to=' + spelled, new RegExp(spellings('ada.löve@example.com'), 'i'))
  }
  assert.equal(erase('/Ada+L%C3%B6ve/ADA%20l%c3%b6ve'), '/erased/erased')
  assert.equal(erase('/canada.löve@example.com'), '/canada.löve@example.com')
})

test('a host that names the person is replaced by one that can’t be registered', () => {
  assert.equal(
    redactUrl('https://ada.shop.example:8443/of/ada?x#ada', redact),
    'https://erased.invalid/of/erased?x#erased',
  )
  assert.equal(
    redactUrl('http://shop.example?ada@example.com', redact),
    'http://shop.example?erased@florin.invalid',
  )
  assert.equal(redactUrl('ada', redact), 'erased')
})

test('a long text of percent signs is searched in linear time', () => {
  const text = '%25'.repeat(40_000) + 'a%'.repeat(40_000)
  assert.equal(redact(text), text)
})
