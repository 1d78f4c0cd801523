import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { makeLog } from '../../platform/http/log.ts'
import { prune } from '../../platform/jobs/pruning.ts'
import { oldEntries } from './old-entries.ts'

/** Refuses to forget anything of one merchant. */
class StubbornDatabase extends Database {
  stubborn: unknown = 'nobody'
  override async queryAll<R extends object = Row>(statements: readonly Sql[]): Promise<R[][]> {
    if (statements[0]?.values[0] === this.stubborn) throw new Error('not this one')
    return super.queryAll<R>(statements)
  }
}

let home: TestDatabase
let db: StubbornDatabase
before(async () => {
  home = await createTestDatabase()
  db = new StubbornDatabase(home.url)
})
after(async () => {
  await db.close()
  await home.drop()
})

const now = new Date('2026-11-16T12:00:00Z')
const daysAgo = (days: number, seconds = 0): Date =>
  new Date(now.getTime() - days * 86_400_000 + seconds * 1_000)

let drawn = 0
async function insert(merchantId: number, at: Date, count = 1): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    merchant_id: merchantId,
    id: `aud_${String((drawn += 1)).padStart(16, '0')}`,
    at,
    actor_kind: 'system',
    actor: 'florin',
    action: 'key.created',
    subject: 'key_1',
  }))
  await insertRows(db, 'audit_log', rows)
}

async function left(merchantId: number): Promise<number> {
  return (await db.query(sql`select from audit_log where merchant_id = ${merchantId}`)).length
}

type LogLine = { level: string; merchantId?: number; what: string; count?: number; days?: number }

test('expired entries are deleted, 500 per merchant at a time, and the deletion is logged', async () => {
  const lines: LogLine[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) })
  const run = async () => prune({ pruning: oldEntries, days: 400 }, { db, log, now: () => now })
  await insert(1, daysAgo(400, -1), 501)
  await insert(1, daysAgo(400), 2)
  await insert(2, daysAgo(400, -1), 3)
  db.stubborn = 2
  assert.equal(await run(), 500)
  assert.deepEqual([await left(1), await left(2)], [3, 3])
  assert.deepEqual(
    lines.splice(0).map(({ level, merchantId, what, count, days }) => [level, merchantId, what, count, days]),
    [
      ['error', 2, 'audit entries', undefined, undefined],
      ['info', undefined, 'audit entries', 500, 400],
    ],
  )
  db.stubborn = 'nobody'
  assert.equal(await run(), 4)
  assert.deepEqual([await left(1), await left(2)], [2, 0])
  lines.length = 0
  assert.equal(await run(), 0)
  assert.deepEqual(lines, [])
})

test('old entries are pruned for 100 merchants at a time', async () => {
  for (let merchantId = 1_000; merchantId <= 1_100; merchantId += 1) await insert(merchantId, daysAgo(401))
  const core = { db, log: makeLog('silent'), now: () => now }
  const run = async () => prune({ pruning: oldEntries, days: 400 }, core)
  assert.equal(await run(), 100)
  assert.equal(await run(), 1)
})
