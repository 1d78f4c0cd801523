import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFakeNetwork } from '../../../../test/support/fake-network.ts'
import type { Credential } from '../hosted.ts'
import { isCredential, missingCredentials } from './credential-rules.ts'

for (const [what, value, isGood] of [
  ['of 1,000 characters', 'k'.repeat(1_000), true],
  ['of 1,001 characters', 'k'.repeat(1_001), false],
  ['with every sign that HTTP takes', '!~_-.:', true],
  ['that is empty', '', false],
  ['with a space', 'a b', false],
  ['with a line end', 'a\n', false],
  ['with letters outside ASCII', 'é', false],
] as const)
  test(`a credential ${what} is ${isGood ? 'taken' : 'refused'}`, () => {
    assert.equal(isCredential(value), isGood)
  })

const network = { ...makeFakeNetwork(), credentials: [{ name: 'key', label: 'Key' }, optional('secret')] }

function optional(name: string): Credential {
  return { name, label: name, optional: true }
}

for (const [given, missing] of [
  [{}, ['key']],
  [{ key: '' }, ['key']],
  [{ secret: 's' }, ['key']],
  [{ key: 'k' }, []],
] as const)
  test(`with ${JSON.stringify(given)} the missing credentials are ${JSON.stringify(missing)}`, () => {
    assert.deepEqual(
      missingCredentials(network, given).map(({ name }) => name),
      missing,
    )
  })
