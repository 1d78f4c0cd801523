import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWitness, type Witness } from '../../../test/support/witness.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { Authenticated } from './authenticate.ts'
import { createKey } from './change-keys.ts'
import { createMerchant } from './create-merchant.ts'
import { isExposedByForm, markKeyExposed, refuseKeyInForm } from './key-in-form.ts'
import { listKeys } from './list.ts'

let witness: Witness
before(async () => {
  witness = await openWitness()
})
after(() => witness.close())

function callerWith(changes: Partial<Authenticated>, formsTakeSecretKeys = true): Authenticated {
  const merchant = { id: 12_345_678, formsTakeSecretKeys } as Authenticated['merchant']
  return { merchant, kind: 'secret', mode: 'live', exposed: false, ...changes } as Authenticated
}

test('a secret key in a form is refused if the merchant forbids it; a form key never is', () => {
  assert.throws(() => refuseKeyInForm(callerWith({}, false)), {
    code: 'unauthorized',
    message: "This account doesn't accept secret keys in web forms: use a form key",
    headers: { 'www-authenticate': 'Bearer' },
  })
  refuseKeyInForm(callerWith({}))
  for (const takes of [true, false]) refuseKeyInForm(callerWith({ kind: 'form' }, takes))
})

test('a form exposes only a live secret key, and only once', () => {
  assert.equal(isExposedByForm(callerWith({})), true)
  for (const changes of [{ kind: 'form' }, { mode: 'test' }, { exposed: true }] as const)
    assert.equal(isExposedByForm(callerWith(changes)), false)
})

test('an exposed key is marked and audited the first time', async () => {
  const { db } = witness
  const merchantId = await createMerchant(db, { name: 'Corner shop' })
  const { id, key } = await createKey(db, merchantId, { kind: 'secret', mode: 'live', name: 'till' })
  const caller = { merchant: { id: merchantId }, keyId: id } as Authenticated
  const hint = `sk_live_…${key.slice(-4)}`
  const mark = async (told: string | undefined) =>
    witness.see(merchantId, async () =>
      assert.equal(await inTransaction(db, async (tx) => markKeyExposed(tx, caller)), told),
    )
  const act = { action: 'key.exposed', subject: id, actor: 'florin', before: null }
  assert.deepEqual((await mark(hint)).acts, [{ ...act, after: { hint, why: 'It was sent by a web form' } }])
  assert.notEqual((await listKeys(db, merchantId))[0]?.exposed_at, null)
  assert.deepEqual((await mark(undefined)).acts, [])
})
