import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { PassThrough, Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test, type TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { dumpRows } from '../../../test/support/dump-rows.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { BackupRefused } from './backup-refused.ts'
import type { End } from './format.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

// Files that are whole by their checksum, and still not what a backup has to be; and where numbers go on.

let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  await createMerchant(db, { name: 'Corner shop' })
})
after(async () => {
  await db.close()
  await home.drop()
})

async function emptyDatabase(t: TestContext): Promise<string> {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  return database.url
}

async function backUp(): Promise<string> {
  const sink = new PassThrough()
  const [bytes] = await Promise.all([buffer(sink), writeBackup(home.url, sink, { program: '0.0.0' })])
  return gunzipSync(bytes).toString('latin1')
}

const restore = async (url: string, text: string) =>
  restoreBackup(url, Readable.from([gzipSync(Buffer.from(text, 'latin1'))]))

/** The same backup with other tables and another last line, and a checksum that fits them. */
function rewrite(text: string, body: (tables: string) => string, end: (end: End) => object): string {
  const at = text.lastIndexOf('end {')
  const changed = body(text.slice(0, at))
  const sha256 = createHash('sha256').update(Buffer.from(changed, 'latin1')).digest('hex')
  const told = end(JSON.parse(text.slice(at + 'end '.length)) as End)
  return `${changed}end ${JSON.stringify({ ...told, sha256 })}\n`
}

// Nothing refers to the audit log, so only the count of tables and rows can tell that it is missing.
const same = <T>(one: T): T => one
const partOf = (text: string): string =>
  /^table \{"name":"audit_log",[^]*?^\\\.$\n/m.exec(text)?.[0] ?? assert.fail('no audit log')
const leaveOut = (text: string): string => text.replace(partOf(text), '')
const countAs =
  (audit_log: number | undefined) =>
  (end: End): object => ({ ...end, rows: { ...end.rows, audit_log } })

for (const [what, body, end] of [
  ['without a table that its last line counts', leaveOut, same],
  ['without a table, also in its last line', leaveOut, countAs(undefined)],
  ['without a table that had no rows by its last line', leaveOut, countAs(0)],
  ['with a table twice', (text: string) => text + partOf(text), same],
  ['with fewer rows than it names', same, countAs(2)],
  ['with more rows than it names', same, countAs(0)],
  ['with rows that its last line does not count', same, countAs(undefined)],
] as const) {
  test(`a file ${what} is refused and leaves nothing behind`, async (t) => {
    const url = await emptyDatabase(t)
    await assert.rejects(restore(url, rewrite(await backUp(), body, end)), BackupRefused)
    assert.deepEqual([...(await dumpRows(url)).values()].flat(), [])
  })
}

test('an unchanged backup file is restored', async (t) => {
  const url = await emptyDatabase(t)
  await restore(url, rewrite(await backUp(), same, same))
  const rows = await dumpRows(url)
  assert.deepEqual(rows, await dumpRows(home.url))
  assert.equal(rows.get('audit_log')?.length, 1)
})

test('a file that can’t be read to its end fails the restore with that error, and nothing of it stays', async (t) => {
  const url = await emptyDatabase(t)
  const bytes = gzipSync(Buffer.from(await backUp(), 'latin1'))
  async function* failing(): AsyncGenerator<Buffer, undefined> {
    yield bytes.subarray(0, bytes.length - 10)
    throw new Error('the disk is gone')
  }
  await assert.rejects(restoreBackup(url, Readable.from(failing())), /the disk is gone/)
  assert.deepEqual([...(await dumpRows(url)).values()].flat(), [])
})

test('a disk that fails while a backup is written fails the backup with that error', async () => {
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error('the disk is full'))
    },
  })
  await assert.rejects(writeBackup(home.url, sink, { program: '0.0.0' }), /the disk is full/)
})

type Sequences = Record<string, { readonly last: string; readonly called: boolean }>

async function sequencesOf(url: string): Promise<Sequences> {
  const one = new Database(url)
  try {
    const names = await one.query<{ name: string }>(sql`
      select oid::regclass::text as name from pg_class
      where relkind = 'S' and relnamespace::regnamespace::text !~ '^pg_' order by 1`)
    const found: Sequences = {}
    for (const { name } of names) {
      const text = `select last_value::text as last, is_called as called from ${name}`
      const [row] = await one.query<Sequences[string]>({ text, values: [], name: undefined })
      found[name] = row ?? assert.fail()
    }
    return found
  } finally {
    await one.close()
  }
}

test('sequences continue where they were, or start at 1 if never used', async (t) => {
  const [unused, used] = [await emptyDatabase(t), await emptyDatabase(t)]
  await restore(unused, await backUp())
  assert.deepEqual(await sequencesOf(unused), await sequencesOf(home.url))
  const names = Object.keys(await sequencesOf(home.url))
  assert.ok(names.length > 0)
  for (const name of names) {
    const text = `select nextval('${name}') from generate_series(1, 41)`
    await db.query({ text, values: [], name: undefined })
  }
  await restore(used, await backUp())
  const expected = await sequencesOf(home.url)
  assert.deepEqual(await sequencesOf(used), expected)
  for (const { last, called } of Object.values(expected)) assert.deepEqual([last, called], ['41', true])
})
