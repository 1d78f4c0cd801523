import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fields } from '../../../platform/input/fields.ts'
import { readMeta } from './read-meta.ts'

/** The text that is kept, or the broken rule, of a body with this text under meta. */
function read(metaText: string): string | null | undefined {
  const bodyText = `{"tx_ref":"a","meta":${metaText},"amount":"1.00"}`
  const fields = new Fields(JSON.parse(bodyText))
  const text = readMeta(fields, bodyText)
  const rules = fields.errors['meta']
  if (rules === undefined) return text
  assert.equal(text, null, 'what broke a rule is not kept')
  assert.equal(rules.length, 1)
  return rules[0]
}

test('meta is stored as sent, to the digit of every number', () => {
  for (const [sent, kept] of [
    ['{"a":1}', '{"a":1}'],
    ['{ "a" : [ 1, "two", null, true ] }', '{"a":[1,"two",null,true]}'],
    ['{"a":1.50}', '{"a":1.50}'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
    ['{"a":-0,"b":1e3}', '{"a":-0,"b":1e3}'],
    ['{"a":{"b":0.10}}', '{"a":{"b":0.10}}'],
  ] as const)
    assert.equal(read(sent), kept, sent)
  for (const nothing of ['null', '{}', '[]', '""']) assert.equal(read(nothing), null, nothing)
})

test('meta that isn’t an object is refused', () => {
  for (const odd of ['"text"', '7', 'true']) assert.equal(read(odd), 'meta must be an object', odd)
})

test('a list becomes an object with its indexes as keys, as in PHP', () => {
  assert.equal(read('["a",1.50,{"b":2}]'), '{"0":"a","1":1.50,"2":{"b":2}}')
  assert.equal(read('["a"]'), '{"0":"a"}')
})

test('meta may be five levels deep, not six, wherever the deepest is', () => {
  const deep = (levels: number): string => '{"a":'.repeat(levels - 1) + '{"b":1}' + '}'.repeat(levels - 1)
  assert.equal(read(deep(5)), deep(5))
  assert.equal(read(deep(6)), 'meta must be at most 5 levels deep')
  const abyss = `{"a":${'['.repeat(30_000)}1.5${']'.repeat(30_000)}}`
  assert.equal(read(abyss), 'meta must be at most 5 levels deep')
  assert.equal(read('{"a":[[[[1]]]]}'), '{"a":[[[[1]]]]}')
  assert.equal(read('{"a":[[[[[]]]]]}'), 'meta must be at most 5 levels deep')
  assert.equal(read(`{"flat":1,"deep":${deep(5)},"last":2}`), 'meta must be at most 5 levels deep')
  assert.equal(read(`{"flat":1,"deep":${deep(4)},"last":null}`), `{"flat":1,"deep":${deep(4)},"last":null}`)
})

test('meta may have 8 KiB, counted in stored bytes', () => {
  const ofBytes = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - 8) })
  assert.equal(read(ofBytes(8192)), ofBytes(8192))
  assert.equal(read(ofBytes(8193)), 'meta must be at most 8 KiB')
  assert.equal(read(JSON.stringify({ a: 'ü'.repeat(4092) })), JSON.stringify({ a: 'ü'.repeat(4092) }))
  assert.equal(read(JSON.stringify({ a: 'ü'.repeat(4093) })), 'meta must be at most 8 KiB')
  assert.equal(read(`{"a":1${' '.repeat(9000)}}`), '{"a":1}', 'blanks are not kept')
})

test('a card number is refused under a card-related key at any depth, and is an order number elsewhere', () => {
  const rule = 'meta must not contain a card number: Florin never stores card numbers'
  const number = '4242424242424242'
  for (const sent of [
    `{"card":"${number}"}`,
    `{"card":${number}}`,
    `{"card":{"digits":["x","${number}"]}}`,
    `{"order":{"card":{"a":{"b":${number}}}}}`,
    `{"cvv":"${number}"}`,
    `{"card":{"${number}":true}}`,
    `{"first":"fine","card ${number}":1}`,
    `{"card":"fine","pan":"${number}"}`,
    '{"card":4000000000000000006}',
  ])
    assert.equal(read(sent), rule, sent)
  for (const sent of [
    `{"order":"${number}"}`,
    `{"order":${number}}`,
    `{"${number}":1}`,
    `{"card":"fine","order":"${number}"}`,
    `{"card":{"a":1},"list":["${number}"]}`,
    '{"card":true,"pan":null,"cc":"4242"}',
  ])
    assert.equal(read(sent), sent, sent)
})

test('a security code is refused under such a key at any depth, and is a number elsewhere', () => {
  const rule = "meta must not contain a card's security code: storing it is forbidden"
  for (const sent of ['{"cvv":"123"}', '{"cvc":1234}', '{"card":{"security_code":{"a":["1 2 3"]}}}'])
    assert.equal(read(sent), rule, sent)
  for (const sent of ['{"card":"123"}', '{"table":123}', '{"cvv":"12"}', '{"cvv":true}', '{"cvv":12345}'])
    assert.equal(read(sent), sent, sent)
})
