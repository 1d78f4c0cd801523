import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTwoMerchants, type TwoMerchants } from '../../../test/support/rows.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { Authenticated } from './authenticate.ts'
import { createKey } from './change-keys.ts'
import { drawFormSecret, formSecretRows, openFormSecret, sealFormSecret } from './form-secret.ts'
import { countSealings, resealAll, sealPlain } from '../../platform/secrets/reseal.ts'
import { drawSecretsKey, readSecretsKey } from '../../platform/secrets/secrets-key.ts'
import { makeSecrets } from '../../platform/secrets/secrets.ts'
import { listFormSecrets } from './store.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())

const callerOf = (merchantId: number, keyId: string, sealed: Buffer | undefined) =>
  ({ merchant: { id: merchantId }, keyId, sealedFormSecret: sealed }) as Authenticated

test('a form secret can be decrypted only for its own key', () => {
  const secret = drawFormSecret()
  assert.match(secret, /^fsec_[0-9A-Za-z]{43}$/)
  assert.notEqual(drawFormSecret(), secret)
  const sealed = sealFormSecret(testSecrets, 1, 'key_1', secret)
  assert.equal(openFormSecret(testSecrets, callerOf(1, 'key_1', sealed)), secret)
  assert.equal(openFormSecret(testSecrets, callerOf(1, 'key_1', undefined)), undefined)
  for (const [merchantId, keyId] of [
    [2, 'key_1'],
    [1, 'key_2'],
  ] as const)
    assert.throws(() => openFormSecret(testSecrets, callerOf(merchantId, keyId, sealed)), /another row/)
})

test('form secrets are resealed when the key is rotated, once per merchant', async () => {
  const { db, own, other } = two
  const [old, fresh] = [drawSecretsKey(), drawSecretsKey()].map((text) => readSecretsKey(text))
  assert.ok(old && fresh)
  const secrets = new Map<number, string | undefined>()
  for (const merchantId of [own, other]) {
    const bounds = { hosts: ['shop.example'] }
    const request = { kind: 'form', name: 'button', bounds, signing: makeSecrets(old) } as const
    secrets.set(merchantId, (await createKey(db, merchantId, request)).formSecret)
  }
  const rooms = [formSecretRows] as Parameters<typeof resealAll>[2]
  const both = makeSecrets(fresh, [old])
  assert.equal(await sealPlain(db, both, rooms), 0, 'none was ever plain')
  assert.deepEqual(await countSealings(db, rooms), [{ what: 'form secrets', byKey: new Map([[old.id, 2]]) }])
  assert.equal(await resealAll(db, both, rooms), 2)
  assert.equal(await resealAll(db, both, rooms), 0)
  for (const merchantId of [own, other]) {
    const [row] = await listFormSecrets(db, merchantId)
    const caller = callerOf(merchantId, row?.id ?? '', row?.form_secret)
    assert.equal(openFormSecret(makeSecrets(fresh), caller), secrets.get(merchantId))
  }
})
