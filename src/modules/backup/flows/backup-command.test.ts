import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { lastBackupAt } from '../../../platform/database/watch/installation-times.ts'
import { drawSecretsKey } from '../../../platform/secrets/secrets-key.ts'
import { createEmptyDatabase } from '../../../../test/support/empty-database.ts'
import { dumpRows } from '../../../../test/support/dump-rows.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { paidPayment } from '../../../../test/support/refunds.ts'
import { ordinary, runFlorin, runFlorinProcess, type Ended } from '../../../../test/support/run-florin.ts'

// florin backup and florin restore, as an operator types them.

let house: House
let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-backup-command-'))
  house = await openHouse()
  await paidPayment(house)
  await house.app.flush()
})
after(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

async function florin(args: string[], settings: Record<string, string> = {}): Promise<Ended> {
  return runFlorin(args, {
    DATABASE_URL: house.databaseUrl,
    DATA_DIR: join(folder, 'unused'),
    LOG_LEVEL: 'silent',
    ...settings,
  })
}

/** All but the head, which says when and by which PostgreSQL it was written, and the checksum over it. */
function bodyOf(file: string): string {
  const text = gunzipSync(readFileSync(file)).toString()
  const withoutEnd = text
    .replace(/^end .*$/m, '')
    .replace(/^(table \{"name":"installation_times".*\n)[^\\]*/m, '$1')
  return withoutEnd.split('\n').slice(2).join('\n')
}

test('a backup is complete, readable only by its owner, and recorded', async () => {
  assert.equal(await lastBackupAt(house.db), undefined)
  const file = join(folder, 'first.backup')
  const { code, out, err } = await florin(['backup', file])
  assert.match(out, /^Backed up \d+ rows of \d+ tables, as of 2\d\d\d-\S+Z, to \S+first\.backup\n$/)
  assert.deepEqual([code, err], [0, ''])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(Date.parse((await lastBackupAt(house.db)) ?? '') > Date.now() - 600_000)

  const again = await florin(['backup', file])
  assert.deepEqual([again.code, again.out], [69, ''])
  assert.match(again.err, /^\S+first\.backup already exists\./)
})

test('a backup made by other means can be recorded', async () => {
  const before_ = (await lastBackupAt(house.db)) ?? ''
  assert.deepEqual(await florin(['backup', '--noted']), { code: 0, out: '', err: '' })
  assert.ok(((await lastBackupAt(house.db)) ?? '') > before_)
  assert.equal((await florin(['backup', '--noted', 'file'])).code, 64)
  assert.equal((await florin(['backup'])).code, 64)
  assert.equal((await florin(['restore'])).code, 64)
})

/** In a row of keys as text, after the time when it was made. */
const lastUse = /("2\d{3}-[^"]*"),("2\d{3}-[^"]*")?,/

test('moving from your own PostgreSQL to an embedded one and back through pipes loses nothing', async (t) => {
  const [one, two] = [join(folder, 'own.backup'), join(folder, 'embedded.backup')]
  assert.equal((await florin(['backup', one])).code, 0)
  const embedded = { DATABASE_URL: '', DATA_DIR: join(folder, 'embedded') }
  const restored = await runFlorinProcess(['restore', one], { ...embedded, LOG_LEVEL: 'silent' })
  assert.match(
    restored.out,
    /^Restored \d+ rows, as of \S+, from a backup by Florin \d+\.\d+\.\d+(\+[\da-f]{7})?\n$/,
  )
  assert.equal(restored.code, 0, restored.err)

  const piped = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../florin.ts', import.meta.url)), 'backup', '-'],
    {
      cwd: '/',
      env: { ...ordinary(), ...embedded },
      stdio: ['ignore', openSync(two, 'w'), 'ignore'],
    },
  )
  assert.deepEqual((await once(piped, 'exit'))[0], 0)
  assert.equal(bodyOf(two), bodyOf(one))

  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const { url } = database
  assert.equal((await florin(['restore', two], { DATABASE_URL: url })).code, 0)
  const [rows, expected] = [await dumpRows(url), await dumpRows(house.databaseUrl)]
  for (const each of [rows, expected]) {
    each.delete('installation_times')
    // The server writes every half minute which keys were used, and the commands may take longer.
    each.set('keys', each.get('keys')?.map((row) => row.replace(lastUse, '$1,,')) ?? [])
  }
  assert.deepEqual(rows, expected)

  const full = await runFlorinProcess(['restore', one], embedded)
  assert.equal(full.code, 69)
  assert.match(full.err, /^The database is not empty: \w+ has rows\./)
})

test('a restore without that time’s key says so, and still restores', async (t) => {
  const file = join(folder, 'sealed.backup')
  // As a start does: it seals something, to know the key by.
  assert.equal((await florin(['secrets', 'check'])).code, 0)
  await florin(['backup', file])
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const { url } = database
  const { code, out, err } = await florin(['restore', file], {
    DATABASE_URL: url,
    SECRETS_KEY: drawSecretsKey(),
  })
  assert.equal(code, 0)
  assert.match(out, /^Restored/)
  assert.match(
    err,
    /^Everything was restored, but a server needs the key from that time to start\. .*SECRETS_KEY/,
  )
})

test('a backup that couldn’t be written leaves no file behind', async () => {
  const before_ = readdirSync(folder)
  const nowhere = await florin(['backup', join(folder, 'no-such-folder', 'x')])
  assert.deepEqual([nowhere.code, nowhere.out], [69, ''])
  assert.match(nowhere.err, /could not be written: ENOENT/)

  writeFileSync(join(folder, 'busy.part'), '')
  const busy = await florin(['backup', join(folder, 'busy')])
  assert.match(busy.err, /busy\.part exists: another backup is running/)
  assert.equal(existsSync(join(folder, 'busy')), false)
  rmSync(join(folder, 'busy.part'))

  const missing = await florin(['backup', join(folder, 'x')], { DATABASE_URL: '' })
  assert.match(missing.err, /^No database in/)
  assert.equal(
    (await florin(['restore', join(folder, 'none')])).err.includes('could not be read: ENOENT'),
    true,
  )
  assert.deepEqual(readdirSync(folder), before_)
})

test('a full disk fails the backup, and it isn’t recorded as one', async () => {
  if (!existsSync('/dev/full')) return
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../florin.ts', import.meta.url)), 'backup', '-'],
    {
      cwd: '/',
      env: { ...ordinary(), DATABASE_URL: house.databaseUrl },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    },
  )
  let err = ''
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.notEqual(code, 0)
  assert.match(err, /ENOSPC/)
  assert.doesNotMatch(err, /Backed up/)
})
