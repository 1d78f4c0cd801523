import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test, type TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { BackupRefused } from '../backup-refused.ts'
import { restoreBackup } from '../restore-backup.ts'
import { tableNamesOf } from '../../../platform/database/table-names.ts'
import { writeBackup } from '../write-backup.ts'
import { Database } from '../../../platform/database/database.ts'
import { migrate, readMigrations } from '../../../platform/database/migrate.ts'
import { dumpRows } from '../../../../test/support/dump-rows.ts'
import { dumpSchema } from '../../../../test/support/dump-schema.ts'
import { createEmptyDatabase } from '../../../../test/support/empty-database.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { createPayment } from '../../../../test/support/pay.ts'
import { openReceiver, type Receiver } from '../../../../test/support/receiver.ts'
import { paidPayment, refund } from '../../../../test/support/refunds.ts'

// Backups and restores of a whole installation, by what reads and writes them; as commands: backup-command.test.ts.

let house: House
let receiver: Receiver
let folder = ''
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-backup-'))
  receiver = await openReceiver()
  house = await openHouse({ settings: { RATE_LIMIT_BURST: '10000' } })
})
after(async () => {
  await house.close()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

async function emptyDatabase(t: TestContext): Promise<string> {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  return database.url
}

async function loadHouse(): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    const paid = await paidPayment(house)
    await refund(house, paid, { amount: '1.00', reason: 'Tab\there, new\nline, \\. and "quotes", Zoë 🎈' })
  }
  await createPayment(house, {
    callback_url: receiver.url,
    title: '\\N',
    meta: { note: 'back\\slash', lines: 'a\r\nb' },
  })
}

async function backUp(url: string, onSnapshot?: (name: string) => Promise<void>): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.backup`)
  await writeBackup(url, createWriteStream(file), { program: '0.0.0', ...(onSnapshot && { onSnapshot }) })
  return file
}

test('a backup holds every table, whatever was added to the schema', async (t) => {
  const url = await emptyDatabase(t)
  await migrate(url)
  const there = [...(await dumpRows(url)).keys()]
  assert.deepEqual(tableNamesOf(readMigrations()).toSorted(), there.toSorted())
})

test('a backup during payments is one consistent snapshot, and is restored row by row', async (t) => {
  await loadHouse()
  let expected = new Map<string, string[]>()
  const busy = new AbortController()
  const paying = (async () => {
    while (!busy.signal.aborted) await refund(house, await paidPayment(house))
  })()
  const file = await backUp(house.databaseUrl, async (snapshot) => {
    expected = await dumpRows(house.databaseUrl, snapshot)
    // After the moment, and before a row is read: it must not be in the backup, nor must half of it.
    await refund(house, await paidPayment(house))
  })
  busy.abort()
  await paying

  const url = await emptyDatabase(t)
  const facts = await restoreBackup(url, createReadStream(file))
  assert.deepEqual(facts.migrated, [])
  assert.equal(
    facts.rows,
    [...expected.values()].reduce((sum, rows) => sum + rows.length, 0),
  )
  assert.deepEqual(await dumpRows(url), expected)
  assert.ok((expected.get('payments') ?? []).length >= 4)
  assert.ok(
    (await dumpRows(house.databaseUrl)).get('payments')?.length !== expected.get('payments')?.length,
    'payments were made meanwhile',
  )
})

test('a restored installation works as before: same schema, same keys, same audit rules', async (t) => {
  const paid = await paidPayment(house)
  const url = await emptyDatabase(t)
  await restoreBackup(url, createReadStream(await backUp(house.databaseUrl)))
  const [before_, after_] = [new Database(house.databaseUrl), new Database(url)]
  assert.equal(await dumpSchema(after_), await dumpSchema(before_))
  await assert.rejects(
    after_.query({ text: 'delete from audit_log', values: [], name: undefined }),
    /audit|never/i,
  )
  await Promise.all([before_.close(), after_.close()])

  const restored = await openHouse({ databaseUrl: url })
  t.after(() => restored.close())
  const found = await call(`${restored.url}/api/transaction/${paid.txRef}`, { key: house.secretKey })
  assert.equal((found.json.data as { status: string }).status, 'success')
  assert.equal((await refund({ ...restored, secretKey: house.secretKey }, paid)).status, 201)
  await paidPayment(restored)
})

test('a truncated, changed or fake file is refused, and nothing of it stays', async (t) => {
  const bytes = readFileSync(await backUp(house.databaseUrl))
  const text = gunzipSync(bytes).toString('latin1')
  const packed = (changed: string): Buffer => gzipSync(Buffer.from(changed, 'latin1'))
  const url = await emptyDatabase(t)
  const row = /^table \{"name":"payments".*\n(.*\tsuccess\t.*)\n/m.exec(text)?.[1] ?? ''
  const altered = (from: RegExp | string, to: string): string => text.replace(row, row.replace(from, to))
  const cases: [string, Buffer, RegExp][] = [
    ['half of the file', bytes.subarray(0, bytes.length / 2), /incomplete/],
    ['all but its last bytes', bytes.subarray(0, -9), /incomplete/],
    ['text without its last line', packed(text.slice(0, text.lastIndexOf('end {'))), /incomplete/],
    ['one digit of an amount', packed(text.replace('\t1000\t', '\t9000\t')), /damaged/],
    ['something behind its end', packed(`${text}more`), /damaged/],
    ['a table left out', packed(text.replace(/^table .*"audit_log"[^]*?^\\\.$\n/m, '')), /damaged/],
    [
      'a table of the system',
      packed(text.replace('"name":"audit_log"', '"name":"pg_authid"')),
      /with columns that/,
    ],
    ['an empty file', Buffer.alloc(0), /incomplete|not a Florin backup/],
    ['something else', Buffer.from('PGDMP what is this'), /not a Florin backup/],
    ['something else, packed', gzipSync('-- PostgreSQL database dump\n'), /not a Florin backup/],
    [
      'a word for a number',
      packed(altered(/^[^\t]*/, 'ninety')),
      /refuses a row of payments, column \w+ \(inv/,
    ],
    ['a state that does not exist', packed(altered('\tsuccess\t', '\tunheard\t')), /payments_state_check/],
    [
      'a merchant who does not exist',
      packed(altered(/^\d+/, '99999999')),
      /refuses a row of payments \(.+fkey/,
    ],
    ['of a newer Florin', packed(text.replace(/"checksum":"./, '"checksum":"x')), /does not know/],
  ]
  for (const [what, given, sentence] of cases) {
    await assert.rejects(
      restoreBackup(url, Readable.from([given])),
      (error) => error instanceof BackupRefused && sentence.test(error.message),
      what,
    )
    const left = [...(await dumpRows(url)).values()].flat()
    assert.deepEqual(left, [], what)
  }
  await restoreBackup(url, Readable.from([bytes]))
})

test('a restore into a database in use is refused', async () => {
  const file = await backUp(house.databaseUrl)
  await assert.rejects(restoreBackup(house.databaseUrl, createReadStream(file)), {
    message: /^The database is not empty: \w+ has rows\. Create an empty database/,
  })
})

test('a backup of an older schema is restored as it was, then migrated', async (t) => {
  const [old, fresh, tooNew] = [await emptyDatabase(t), await emptyDatabase(t), await emptyDatabase(t)]
  const migrations = readMigrations()
  await migrate(old, migrations.slice(0, 20))
  const db = new Database(old)
  await db.query({
    text: `insert into merchants (id, name) values (12345678, 'Corner shop')`,
    values: [],
    name: undefined,
  })
  await db.close()
  const file = await backUp(old)
  const facts = await restoreBackup(fresh, createReadStream(file))
  assert.equal(facts.migrated.length, migrations.length - 20)
  assert.equal((await dumpRows(fresh)).get('merchants')?.length, 1)

  await migrate(tooNew)
  await assert.rejects(restoreBackup(tooNew, createReadStream(file)), { message: /of an older schema/ })
})

test('existing empty tables, as on a cluster, are filled', async (t) => {
  const url = await emptyDatabase(t)
  await migrate(url)
  await restoreBackup(url, createReadStream(await backUp(house.databaseUrl)))
  assert.deepEqual(await dumpRows(url), await dumpRows(house.databaseUrl))
})

test('rows and tables larger than one chunk are restored', async (t) => {
  const [from, to] = [await emptyDatabase(t), await emptyDatabase(t)]
  await migrate(from)
  const db = new Database(from)
  const run = async (text: string): Promise<unknown> => db.query({ text, values: [], name: undefined })
  await run(`insert into merchants (id, name) values (12345678, 'Corner shop')`)
  await run(`
    insert into pictures (merchant_id, id, type, width, height, bytes)
    select 12345678, md5(n::text), 'image/png', 1, 1, decode(repeat(md5(n::text), 6000), 'hex')
    from generate_series(1, 120) as n`)
  await db.close()
  const file = await backUp(from)
  await restoreBackup(to, createReadStream(file))
  assert.deepEqual(await dumpRows(to), await dumpRows(from))
})
