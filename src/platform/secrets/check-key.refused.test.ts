import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { scriptListener } from '../../../test/support/scripted-listener.ts'
import { countWaiting } from '../../../test/support/who-waits.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { ada, openWitness, type Witness } from '../../../test/support/witness.ts'
import { inTransaction, type Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { makeLog } from '../http/log.ts'
import { installation } from '../../core/audit/audit.ts'
import { rotateKey } from '../../core/audit/rotate-key.ts'
import { checkKey, currentKeyId, followKey } from './check-key.ts'
import { findSecret, replaceSecret } from './installation-secret-store.ts'
import { canaryName, placeOf } from './installation-secrets.ts'
import { readSecretsKey, type SecretsKey } from './secrets-key.ts'
import { SecretsRefused } from './secrets-refused.ts'
import { makeSecrets } from './secrets.ts'

let witness: Witness
let db: Database
before(async () => {
  witness = await openWitness()
  db = witness.db
})
after(() => witness.close())
beforeEach(async () => {
  await db.query(sql`delete from installation_secrets`)
})

function keyOf(seed: number): SecretsKey {
  return readSecretsKey(Buffer.alloc(32, seed).toString('base64')) ?? assert.fail('no key')
}

const [old, fresh, stranger] = [keyOf(1), keyOf(2), keyOf(3)]

/** What stands in place of the value that tells the key. */
async function plant(sealed: Buffer | null): Promise<void> {
  const plain = sealed === null ? Buffer.alloc(32) : null
  await db.query(sql`
    insert into installation_secrets (name, secret, sealed) values (${canaryName}, ${plain}, ${sealed})
    on conflict (name) do update set secret = excluded.secret, sealed = excluded.sealed`)
}

function sentence(sealedUnder: string, given: string): string {
  return (
    `The secrets in this database are encrypted with the key ${sealedUnder}, but ${given} set. Set SECRETS_KEY to that ` +
    `key. If you want to change the key, set SECRETS_KEY_OLD to the old one and run: florin secrets rotate`
  )
}

test('a start with the wrong key is refused, with the needed key’s id and the given ones', async () => {
  const sealed = makeSecrets(old).seal(placeOf(canaryName), Buffer.from('florin'))
  const elsewhere = makeSecrets(old).seal(placeOf('token'), Buffer.from('florin'))
  const [one, two] = [makeSecrets(stranger), makeSecrets(stranger, [fresh])]
  const cases = [
    [sealed, one, sentence(old.id, `${stranger.id} was`)],
    [sealed, two, sentence(old.id, `${stranger.id} and ${fresh.id} were`)],
    // Of our key, and not what was sealed there.
    [elsewhere, makeSecrets(old), sentence(old.id, `${old.id} was`)],
    [Buffer.from('something else'), makeSecrets(old), sentence('of another program', `${old.id} was`)],
    [null, makeSecrets(old), sentence('of another program', `${old.id} was`)],
  ] as const
  for (const [stored, given, message] of cases) {
    await plant(stored)
    await assert.rejects(checkKey(db, given), new SecretsRefused(message))
  }
  await plant(sealed)
  await checkKey(db, makeSecrets(old))
})

test('a key is changed once, by name, after it was checked', async () => {
  const both = makeSecrets(old, [fresh])
  const mistake = /A key is changed after it was checked/
  await assert.rejects(rotateKey(db, both, fresh.id), mistake)
  await checkKey(db, both)
  await assert.rejects(rotateKey(db, both, stranger.id), mistake)
  assert.equal(await currentKeyId(db), old.id)
  const act = { action: 'secrets_key.rotated', subject: fresh.id, actor: 'ada' }
  const change = async (isNew: boolean) =>
    witness.see(installation, async () => assert.equal(await rotateKey(db, both, fresh.id, ada), isNew))
  assert.deepEqual((await change(true)).acts, [{ ...act, before: { key: old.id }, after: { key: fresh.id } }])
  assert.equal(await currentKeyId(db), fresh.id)
  assert.deepEqual((await change(false)).acts, [])
})

test('the second of two simultaneous key changes is refused', async () => {
  await checkKey(db, makeSecrets(old))
  let refused: Promise<void> | undefined
  await inTransaction(db, async (tx) => {
    const row = (await findSecret(tx, canaryName)) ?? assert.fail()
    await replaceSecret(tx, row, makeSecrets(stranger).seal(placeOf(canaryName), Buffer.from('florin')))
    // Expected from the start: the refusal may come before the commit here is answered.
    refused = assert.rejects(
      rotateKey(db, makeSecrets(old, [fresh]), fresh.id),
      new SecretsRefused('Someone else is already rotating the key.'),
    )
    await waitUntil('the second waits for the first', async () => (await countWaiting(db)) === 1)
  })
  await (refused ?? assert.fail())
  assert.equal(await currentKeyId(db), stranger.id)
})

type LogLine = { readonly level: string; readonly msg: string }

test('the key file is read again for an unknown key, and problems are reported', () => {
  const lines: LogLine[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) })
  const secrets = makeSecrets(old, [fresh])
  let file: () => SecretsKey[] = () => assert.fail('nobody reads it for a key that is known')
  const listener = scriptListener()
  const say = (keyId: string): void => listener.say('florin_secrets_key', keyId)
  followKey(db, listener, secrets, log, () => file())
  for (const { id } of [fresh, old]) {
    say(id)
    assert.equal(secrets.keyId, id)
  }
  assert.deepEqual(lines, [])

  file = () => {
    throw new Error('no such file')
  }
  say(stranger.id)
  file = () => [fresh]
  say(stranger.id)
  const lacking = `Secrets are now encrypted with the key ${stranger.id}, which this server doesn't have: restart it with that key as SECRETS_KEY`
  assert.deepEqual(
    lines.splice(0).map(({ level, msg }) => [level, msg]),
    [
      ['warn', 'Could not read the key file again'],
      ['error', lacking],
      ['error', lacking],
    ],
  )
  assert.equal(secrets.keyId, old.id)

  file = () => [stranger, old]
  say(stranger.id)
  assert.equal(secrets.keyId, stranger.id)
  assert.deepEqual(lines, [])
})

test('a server that reconnects to a database without a key, or to none, continues as before', async () => {
  const listener = scriptListener()
  const asked: Promise<unknown>[] = []
  const watched = {
    query: async (statement: Parameters<Database['query']>[0]) => {
      const answer = asked.length === 1 ? Promise.reject(new Error('gone')) : db.query(statement)
      asked.push(answer)
      return answer
    },
  } as unknown as Database
  const secrets = makeSecrets(old, [fresh])
  followKey(watched, listener, secrets, makeLog('silent'), () => assert.fail('nothing was heard'))
  listener.connectAgain()
  listener.connectAgain()
  await Promise.allSettled(asked)
  assert.deepEqual([asked.length, secrets.keyId], [2, old.id])
  await checkKey(db, makeSecrets(fresh))
  listener.connectAgain()
  await waitUntil('it seals under the key of the database', () => secrets.keyId === fresh.id)
})
