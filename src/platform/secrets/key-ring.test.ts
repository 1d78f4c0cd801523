import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeyRing } from './key-ring.ts'
import { drawSecretsKey, readSecretsKey } from './secrets-key.ts'

test('the first given key seals, the others only open, and all can be read again', () => {
  const keys = [drawSecretsKey(), drawSecretsKey()].map((text) => readSecretsKey(text) ?? assert.fail())
  const ring = makeKeyRing(() => keys)
  assert.equal(ring.first, keys[0])
  assert.deepEqual(
    ring.secrets.keyIds,
    keys.map(({ id }) => id),
  )
  assert.equal(ring.reread(), keys)
  assert.throws(() => makeKeyRing(() => []), /A ring of keys needs one/)
})
