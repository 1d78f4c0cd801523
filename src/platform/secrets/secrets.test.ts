import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawSecretsKey, readSecretsKey, type SecretsKey } from './secrets-key.ts'
import { keyIdOf, makeSecrets, Unsealable, type Place } from './secrets.ts'

const place: Place = { table: 'webhook_secrets', key: '12345678/test/whs_1', purpose: 'webhook secret' }
const plain = Buffer.from('whsec_of-a-merchant')

function freshKey(): SecretsKey {
  const key = readSecretsKey(drawSecretsKey())
  assert.ok(key)
  return key
}

test('a sealed value opens in its own place, and reveals nothing of its content', () => {
  const secrets = makeSecrets(freshKey())
  const sealed = secrets.seal(place, plain)
  assert.deepEqual(secrets.open(place, sealed), plain)
  assert.ok(!sealed.includes(plain))
  assert.equal(keyIdOf(sealed), secrets.keyId)
  assert.notDeepEqual(secrets.seal(place, plain), sealed)
  assert.deepEqual(secrets.open(place, secrets.seal(place, Buffer.alloc(0))), Buffer.alloc(0))
})

test('a sealed value moved to another row, table or purpose doesn’t open', () => {
  const secrets = makeSecrets(freshKey())
  const sealed = secrets.seal(place, plain)
  const elsewhere: Place[] = [
    { ...place, key: '87654321/test/whs_1' },
    { ...place, table: 'keys' },
    { ...place, purpose: 'token secret' },
    // The same letters, cut elsewhere.
    { table: 'webhook_secrets1', key: '2345678/test/whs_1', purpose: 'webhook secret' },
  ]
  for (const other of elsewhere)
    assert.throws(() => secrets.open(other, sealed), /was changed, or was encrypted for another row/)
})

test('every changed bit of a sealed value is noticed', () => {
  const secrets = makeSecrets(freshKey())
  const sealed = secrets.seal(place, plain)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => secrets.open(place, changed), Unsealable)
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => secrets.open(place, sealed.subarray(0, length)), Unsealable)
})

test('without its key a value is refused with the key’s id, and without the value', () => {
  const [old, fresh] = [freshKey(), freshKey()]
  const sealed = makeSecrets(old).seal(place, plain)
  assert.throws(
    () => makeSecrets(fresh).open(place, sealed),
    new Unsealable(
      `The webhook secret 12345678/test/whs_1 in webhook_secrets can't be decrypted: it is encrypted with the key ${old.id}, which is not set`,
    ),
  )
})

test('during a rotation both keys open, and the current one seals', () => {
  const [old, fresh] = [freshKey(), freshKey()]
  const sealed = makeSecrets(old).seal(place, plain)
  const both = makeSecrets(fresh, [old])
  assert.deepEqual(both.open(place, sealed), plain)
  assert.equal(keyIdOf(both.seal(place, plain)), fresh.id)
  assert.deepEqual(both.keyIds, [fresh.id, old.id])

  assert.equal(both.sealUnder(old.id), true)
  assert.equal(keyIdOf(both.seal(place, plain)), old.id)
  assert.deepEqual(both.keyIds, [old.id, fresh.id])
  assert.equal(both.sealUnder(freshKey().id), false)
  assert.equal(both.keyId, old.id)
})

test('a value sealed by the first release still opens', () => {
  const key = readSecretsKey(Buffer.alloc(32, 7).toString('base64'))
  assert.ok(key)
  const sealed = 'AcXZw4r8Bx21ZAEvSGV96vkPxQflMFUfOcicAhqKzyG6RoRC9hNlwgTuYvpt0WmtO7AAhxJFzjY='
  assert.deepEqual(makeSecrets(key).open(place, Buffer.from(sealed, 'base64')), plain)
})
