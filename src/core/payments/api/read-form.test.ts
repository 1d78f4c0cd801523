import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { formAsJson, inFormWords } from './read-form.ts'

/** The JSON text of a form with these fields. */
const asJson = (fields: Record<string, string>, options?: { withTitle?: boolean }): string =>
  formAsJson(new Map(Object.entries(fields)), options)

const asBody = (fields: Record<string, string>): unknown => JSON.parse(asJson(fields))

/** What a form says of one member, as text. */
const memberOf = (name: 'meta' | 'items', fields: Record<string, string>): string =>
  JSON.stringify((asBody(fields) as Record<string, unknown>)[name])

test('a form is read like the same request from a program', () => {
  const same = {
    callback_url: 'http://shop.example/ipn',
    return_url: 'http://shop.example/thanks',
    tx_ref: 'a',
    amount: '10.00',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    project: 'Spring',
  }
  const shown = { title: 'Chairs', description: 'Two', logo: 'http://shop.example/logo.png' }
  const more = { meta: '{"cart":7.0}', items: '[{"name":"A","unit_amount":10.00}]' }
  assert.deepEqual(asBody({ ...same, ...shown, ...more, button: 'Pay', secret_key: 'sk_1' }), {
    ...same,
    customization: shown,
    meta: { cart: 7 },
    items: [{ name: 'A', unit_amount: 10 }],
  })
  assert.deepEqual(asBody({}), { customization: {}, meta: null })
  assert.deepEqual(asBody({ tx_ref: '' }), { tx_ref: '', customization: {}, meta: null })
})

test('title, logo and items are left out of a form whose key doesn’t allow them', () => {
  const fields = { tx_ref: 'a', title: 'Evil', 'customization[logo]': 'x', items: '[1]', meta: '{"a":1}' }
  assert.equal(asJson(fields, { withTitle: false }), '{"tx_ref":"a","meta":{"a":1}}')
  assert.equal(asJson({ tx_ref: 'a' }, { withTitle: false }), '{"tx_ref":"a","meta":null}')
  assert.equal(asJson({}, { withTitle: false }), '{"meta":null}')
  assert.equal(asJson({ tx_ref: 'a' }, {}), '{"tx_ref":"a","customization":{},"meta":null}')
})

test('title, description and logo may use brackets, and plain ones win', () => {
  assert.deepEqual(
    asBody({ title: 'Alone', 'customization[title]': 'In brackets', 'customization[description]': 'Two' }),
    { customization: { title: 'Alone', description: 'Two' }, meta: null },
  )
})

test('meta may be exact JSON text, bracketed inputs, or both', () => {
  for (const [fields, meta] of [
    [{ meta: '' }, 'null'],
    [{ meta: ' ' }, 'null'],
    [{ meta: '{"a":1}' }, '{"a":1}'],
    [{ meta: '[1]' }, '[1]'],
    [{ meta: 'no JSON' }, '"no JSON"'],
    [{ meta: '{"a":' }, '"{\\"a\\":"'],
    [{ 'meta[a]': '1' }, '{"a":"1"}'],
    [{ 'meta[a][b]': '1', metal: 'x', 'metal[a]': 'y' }, '{"a":{"b":"1"}}'],
    [{ 'meta[0]': 'x', 'meta[1]': 'y' }, '{"0":"x","1":"y"}'],
    [{ meta: '', 'meta[a]': '1' }, '{"a":"1"}'],
    [{ meta: '{ }', 'meta[a]': '1' }, '{"a":"1"}'],
    [{ meta: '[]', 'meta[a]': '1' }, '{"a":"1"}'],
    [{ meta: '{"b":2}', 'meta[a]': '1' }, '{"b":2,"a":"1"}'],
    [{ meta: '[1]', 'meta[a]': '1' }, '"[1]"'],
    [{ meta: 'no JSON', 'meta[a]': '1' }, '"no JSON"'],
  ] as const)
    assert.equal(memberOf('meta', fields), meta, JSON.stringify(fields))
})

test('items are a JSON list or bracketed inputs, never both', () => {
  for (const [fields, items] of [
    [{ items: ' [{"name":"A"}] ' }, '[{"name":"A"}]'],
    [{ items: '[]' }, '[]'],
    [{ 'items[0][name]': 'A', 'items[0][unit_amount]': '1' }, '[{"name":"A","unit_amount":"1"}]'],
    [{ items: ' ', 'items[0][name]': 'A' }, '[{"name":"A"}]'],
    [{ 'itemsold[0]': 'A' }, undefined],
    [{ items: '' }, undefined],
    [{}, undefined],
  ] as const)
    assert.equal(memberOf('items', fields), items, JSON.stringify(fields))
  for (const fields of [
    { items: '[1]', 'items[0][name]': 'A' },
    { items: '{"name":"A"}' },
    { items: '{}', 'items[0][name]': 'A' },
    { items: 'a chair' },
    { items: '[1' },
    { items: '[1],"amount":"1"' },
  ])
    assert.throws(() => asJson(fields), {
      code: 'validation_failed',
      message: 'items must be a list as JSON text, or inputs such as items[0][name]',
    })
})

test('numbers in meta and items keep every digit', () => {
  const text = asJson({ meta: '{"a":1.50}', items: '[{"unit_amount":12345678901234567890}]' })
  assert.ok(text.endsWith(',"meta":{"a":1.50},"items":[{"unit_amount":12345678901234567890}]}'), text)
})

test('a form’s error messages use the form’s own field names', () => {
  const told = inFormWords(
    new Refusal('validation_failed', 'customization.title must be a string', {
      errors: {
        'customization.title': ['customization.title must be a string'],
        amount: ['amount is required'],
      },
    }),
  )
  assert.equal(told.code, 'validation_failed')
  assert.equal(told.message, 'title must be a string')
  assert.deepEqual(told.errors, { title: ['title must be a string'], amount: ['amount is required'] })
  const other = new Refusal('not_found')
  assert.equal(inFormWords(other), other)
  assert.deepEqual(inFormWords(brokenRule('amount', 'amount is required')).errors, {
    amount: ['amount is required'],
  })
})
