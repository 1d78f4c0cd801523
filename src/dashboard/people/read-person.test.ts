import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import { readEmail, readName, readNewPassword } from './read-person.ts'

for (const [typed, email] of [
  [' ada@example.com ', 'ada@example.com'],
  ['Ada.Lovelace+shop@example.co.uk', 'Ada.Lovelace+shop@example.co.uk'],
  ['zoë@münchen.example', 'zoë@münchen.example'],
  [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
] as const)
  test(`${typed.slice(-40)} is an address`, () => assert.equal(readEmail(typed), email))

for (const typed of [
  undefined,
  ' ',
  'ada',
  'ada@',
  '@example.com',
  'ada@exa mple.com',
  'ada@example.com\nbcc: eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com,eve@example.com',
  'ada@example.com;eve@example.com',
  'a@b@c',
  `${'a'.repeat(243)}@example.com`,
])
  test(`${JSON.stringify(typed)?.slice(0, 40)} is no address`, () =>
    assert.throws(() => readEmail(typed), Refusal))

test('a name has 1 to 100 characters of any script, and no control characters', () => {
  assert.equal(readName(' Ada '), 'Ada')
  assert.equal(readName('🎈'.repeat(100)), '🎈'.repeat(100))
  for (const odd of [undefined, ' ', 'x'.repeat(101), 'Ada\nEve', 'Ada\0', '\ud800'])
    assert.throws(() => readName(odd), Refusal)
})

test('a mistake names its own field', () => {
  const fieldOf = (work: () => unknown): string[] => {
    try {
      work()
    } catch (error) {
      return Object.keys((error as Refusal).errors ?? {})
    }
    return []
  }
  assert.deepEqual(
    fieldOf(() => readName('', 'merchant', 'the name of your shop')),
    ['merchant'],
  )
  assert.deepEqual(
    fieldOf(() => readEmail('')),
    ['email'],
  )
  assert.deepEqual(
    fieldOf(() => readNewPassword('short', [], 'ordinary')),
    ['password'],
  )
  assert.equal(readNewPassword('seven wet herons argue', [], 'ordinary'), 'seven wet herons argue')
})
