import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { checkKey, currentKeyId } from './check-key.ts'
import { installationSecret, installationSecretRows } from './installation-secrets.ts'
import { countSealings, resealAll, sealPlain } from './reseal.ts'
import { drawSecretsKey, readSecretsKey } from './secrets-key.ts'
import { makeSecrets } from './secrets.ts'

let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

test('an installation secret is created once, whether plain, sealed or resealed', async () => {
  const [old, fresh] = [drawSecretsKey(), drawSecretsKey()].map((text) => readSecretsKey(text))
  assert.ok(old && fresh)
  const secrets = makeSecrets(old)
  await checkKey(db, secrets)
  const drawn = await installationSecret(db, secrets, 'tokens')
  assert.equal(drawn.length, 32)
  assert.deepEqual(await installationSecret(db, secrets, 'tokens'), drawn)
  assert.notDeepEqual(await installationSecret(db, secrets, 'sessions'), drawn)
  // From before secrets were sealed.
  const plain = Buffer.alloc(32, 7)
  await db.query(sql`insert into installation_secrets (name, secret) values ('proofs', ${plain})`)
  assert.deepEqual(await installationSecret(db, secrets, 'proofs'), plain)

  const rooms = [installationSecretRows] as Parameters<typeof resealAll>[2]
  const counted = async (): Promise<unknown> => {
    const [found] = await countSealings(db, rooms)
    return Object.fromEntries(found?.byKey ?? [])
  }
  assert.deepEqual(await counted(), { [old.id]: 2, plain: 1 })
  assert.equal(await sealPlain(db, secrets, rooms), 1)
  assert.deepEqual(await counted(), { [old.id]: 3 })
  assert.equal(await resealAll(db, makeSecrets(fresh, [old]), rooms), 3)
  assert.deepEqual(await counted(), { [fresh.id]: 3 })
  assert.equal(await currentKeyId(db), old.id, 'what tells the key is changed by whoever changes the key')
  for (const [name, secret] of [
    ['tokens', drawn],
    ['proofs', plain],
  ] as const)
    assert.deepEqual(await installationSecret(db, makeSecrets(fresh), name), secret)
})
