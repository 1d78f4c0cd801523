import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { Database } from '../database/database.ts'
import { listenPatiently } from '../../../test/support/listen-patiently.ts'
import { makeLog } from '../http/log.ts'
import { rotateKey } from '../../core/audit/rotate-key.ts'
import { checkKey, currentKeyId, followKey } from './check-key.ts'
import { drawSecretsKey, readSecretsKey, type SecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'
import { makeSecrets } from './secrets.ts'

const homes: TestDatabase[] = []
const databases: Database[] = []
let db: Database

before(async () => {
  db = await freshDatabase()
})
after(async () => {
  for (const one of databases) await one.close()
  for (const home of homes) await home.drop()
})

async function freshDatabase(): Promise<Database> {
  const home = await createTestDatabase()
  homes.push(home)
  const fresh = new Database(home.url)
  databases.push(fresh)
  return fresh
}

function freshKey(): SecretsKey {
  const key = readSecretsKey(drawSecretsKey())
  assert.ok(key)
  return key
}

const [old, fresh, stranger] = [freshKey(), freshKey(), freshKey()]

test('the first key becomes the database’s key, and no other is accepted after it', async () => {
  assert.equal(await currentKeyId(db), undefined)
  await checkKey(db, makeSecrets(old))
  await checkKey(db, makeSecrets(old))
  assert.equal(await currentKeyId(db), old.id)
  await assert.rejects(
    checkKey(db, makeSecrets(stranger)),
    (error: Error) =>
      error instanceof SecretsRefused &&
      error.message.includes(old.id) &&
      error.message.includes(stranger.id) &&
      error.message.includes('florin secrets rotate'),
  )
})

test('the database’s key seals, even with another one given, until it is changed', async () => {
  const both = makeSecrets(fresh, [old])
  await checkKey(db, both)
  assert.equal(both.keyId, old.id)
  assert.equal(await rotateKey(db, both, fresh.id), true)
  assert.equal(await rotateKey(db, both, fresh.id), false)
  assert.equal(both.keyId, fresh.id)
  assert.equal(await currentKeyId(db), fresh.id)

  const later = makeSecrets(old, [fresh])
  await checkKey(db, later)
  assert.equal(later.keyId, fresh.id)
  await assert.rejects(checkKey(db, makeSecrets(old)), SecretsRefused)
})

test('when two servers start at once with different keys, one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const empty = await freshDatabase()
    const ends = await Promise.allSettled([old, fresh].map(async (key) => checkKey(empty, makeSecrets(key))))
    assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  }
})

test('a server follows a rotation with a key its file now has, and reports an error if it has none', async (t) => {
  const home = await freshDatabase()
  await checkKey(home, makeSecrets(old))
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const [prepared, unprepared] = [makeSecrets(old), makeSecrets(old)]
  const listener = listenPatiently(home.url)
  t.after(() => listener.close())
  followKey(home, listener, prepared, log, () => [fresh, old])
  followKey(home, listener, unprepared, log, () => [])
  await waitUntil('it listens', () => listener.connected)

  await rotateKey(home, makeSecrets(fresh, [old]), fresh.id)
  await waitUntil('it seals under the new key', () => prepared.keyId === fresh.id)
  await waitUntil('the other one says so', () => lines.length > 0)
  assert.equal(unprepared.keyId, old.id)
  assert.match(
    lines.join(''),
    new RegExp(`"error".*encrypted with the key ${fresh.id}, which this server doesn't have`),
  )
})

test('a disconnected server learns of a rotation when it reconnects', async (t) => {
  const home = await freshDatabase()
  await checkKey(home, makeSecrets(old))
  const both = makeSecrets(old, [fresh])
  await rotateKey(home, makeSecrets(fresh, [old]), fresh.id)
  const listener = listenPatiently(home.url)
  t.after(() => listener.close())
  followKey(home, listener, both, makeLog('silent'), () => [])
  await waitUntil('it seals under the new key', () => both.keyId === fresh.id)
})
