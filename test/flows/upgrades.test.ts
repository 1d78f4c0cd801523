import assert from 'node:assert/strict'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { restoreBackup } from '../../src/modules/backup/restore-backup.ts'
import { Database } from '../../src/platform/database/database.ts'
import { readMigrations } from '../../src/platform/database/migrate.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { dumpSchema } from '../support/dump-schema.ts'
import { createEmptyDatabase } from '../support/empty-database.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { paidPayment, refund } from '../support/refunds.ts'

// Installations as older versions left them (test/releases/), brought up to date with what is in them. "npm run
// release-dump" adds one.

const folder = new URL('../releases/', import.meta.url)
const releases = readdirSync(folder).toSorted()
const schema = readFileSync(new URL('../../src/platform/database/schema.sql', import.meta.url), 'utf8')

/** How many rows each table had when the dump was made. */
function countsIn(release: string): Record<string, number> {
  const text = gunzipSync(readFileSync(new URL(release, folder))).toString()
  const [, end = '{}'] = /^end (.*)$/m.exec(text) ?? []
  return (JSON.parse(end) as { rows: Record<string, number> }).rows
}

test('there is a dump of the first release, and every dump matches a migration of ours', () => {
  assert.ok(releases.length >= 2, releases.join())
  const names = readMigrations().map(({ name }) => `${name}.gz`)
  assert.deepEqual(
    releases.filter((release) => !names.includes(release)),
    [],
    'a migration was renamed or removed after its release',
  )
})

for (const release of releases) {
  test(`an installation from ${release.slice(0, -3)} is migrated with all its data`, async (t) => {
    const database = await createEmptyDatabase()
    t.after(() => database.drop())
    const { migrated } = await restoreBackup(database.url, createReadStream(new URL(release, folder)))
    assert.equal(migrated.length, readMigrations().length - Number(release.slice(0, 4)))

    const db = new Database(database.url)
    t.after(() => db.close())
    assert.equal(await dumpSchema(db), schema)
    for (const [table, count] of Object.entries(countsIn(release))) {
      const rows = await db.query<{ count: number }>({
        text: `select count(*)::integer as count from ${table}`,
        values: [],
        name: undefined,
      })
      assert.equal(rows[0]?.count, count, table)
    }
    const house = await openHouse({ databaseUrl: database.url })
    t.after(() => house.close())
    await worksOnOldPayments(house, db)
    await refund(house, await paidPayment(house))
  })
}

/** Every payment is looked up as its merchant would, and says what its row says. */
async function worksOnOldPayments(house: House, db: Database): Promise<void> {
  const payments = await db.query<{
    merchant_id: number
    mode: 'test' | 'live'
    tx_ref: string
    state: string
  }>(sql`select merchant_id, mode, tx_ref, state from payments`)
  assert.ok(payments.length >= 5)
  for (const { merchant_id, mode, tx_ref, state } of payments) {
    const { key } = await createKey(db, merchant_id, { kind: 'secret', mode, name: 'after' })
    const found = await call(`${house.url}/api/transaction/${tx_ref}`, { key })
    assert.equal((found.json.data as { status: string }).status, state, found.text)
  }
}
