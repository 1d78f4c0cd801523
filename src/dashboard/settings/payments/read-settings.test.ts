import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { languageCodes } from '../../../core/merchants/brand/languages.ts'
import { brandChanges, languageField, merchantChanges } from './read-settings.ts'

const changes = (fields: Record<string, string>, email: string | null = 'shop@example.com') =>
  merchantChanges(new Map(Object.entries(fields)), { email })

test('fields missing from the form stay unchanged', () => {
  assert.deepEqual(changes({}), { email: 'shop@example.com' })
  assert.deepEqual(changes({}, null), {})
  assert.deepEqual(brandChanges(new Map()), {})
})

test('an address can be set and changed, and an empty one is passed on for its rule to refuse', () => {
  assert.deepEqual(changes({ email: ' new@example.com ' }, null), { email: 'new@example.com' })
  assert.deepEqual(changes({ email: '' }), { email: '' })
  assert.deepEqual(changes({ email: '' }, null), {})
})

for (const [secretKeys, taken] of [
  ['on', { formsTakeSecretKeys: true }],
  ['off', { formsTakeSecretKeys: false }],
  ['maybe', {}],
] as const)
  test(`secret keys in forms "${secretKeys}" is read as ${JSON.stringify(taken)}`, () =>
    assert.deepEqual(changes({ secret_keys: secretKeys }, null), taken))

for (const [amount, unit, minutes] of [
  ['30', 'minutes', 30],
  ['1', 'hours', 60],
  ['30', 'days', 43_200],
] as const)
  test(`${amount} ${unit} to pay are ${minutes} minutes`, () =>
    assert.equal(changes({ pay_within: amount, pay_within_unit: unit }).payWithinMinutes, minutes))

for (const [amount, unit] of [
  ['29', 'minutes'],
  ['31', 'days'],
  ['721', 'hours'],
  ['1', 'weeks'],
  ['', 'hours'],
] as const)
  test(`"${amount}" ${unit} to pay are refused`, () =>
    assert.throws(() => changes({ pay_within: amount, pay_within_unit: unit }), Refusal))

function languages(first: string, ...ticked: string[]): readonly string[] | undefined {
  const boxes = ticked.map((code): [string, string] => [languageField(code), 'on'])
  return brandChanges(new Map([['first_language', first], ...boxes])).languages
}

test('the fallback language comes first, and all languages with English first are stored as none', () => {
  assert.deepEqual(languages('de', 'en', 'de', 'fr'), ['de', 'en', 'fr'])
  assert.deepEqual(languages('en', ...languageCodes), [])
  assert.equal(languages('de', ...languageCodes)?.[0], 'de')
  assert.equal(languages('de', ...languageCodes)?.length, languageCodes.length)
  assert.throws(() => languages('de'), Refusal)
  assert.throws(() => languages('de', 'en'), Refusal)
})

test('hosts allowed to frame the checkout are separated by spaces, lines or commas', () => {
  const read = (embed_hosts: string) => brandChanges(new Map([['embed_hosts', embed_hosts]])).embedHosts
  assert.deepEqual(read(' a.example,b.example\nc.example '), ['a.example', 'b.example', 'c.example'])
  assert.deepEqual(read(' '), [])
})
