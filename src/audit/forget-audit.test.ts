import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertRows } from '../../test/support/rows.ts'
import { Database, type Row } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import { makeLog } from '../http/log.ts'
import { forgetAuditJob } from './forget-audit.ts'

/** Refuses to forget anything of one merchant. */
class StubbornDatabase extends Database {
  stubborn: unknown
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

type LogLine = { level: string; merchant: number; entries?: number; days?: number; msg: string }

test('entries go when their time is over, five hundred of a merchant at a time, and it is told', async () => {
  const lines: LogLine[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) })
  const job = forgetAuditJob({ db, log, now: () => now, days: 400 })
  assert.deepEqual([job.name, job.everyMs], ['forget old audit entries', 3_600_000])
  await insert(1, daysAgo(400, -1), 501)
  await insert(1, daysAgo(400), 2)
  await insert(2, daysAgo(400, -1), 3)
  db.stubborn = 2
  assert.equal(await job.run(), 500)
  assert.deepEqual([await left(1), await left(2)], [3, 3])
  assert.deepEqual(
    lines
      .splice(0)
      .toSorted((one, other) => one.merchant - other.merchant)
      .map(({ level, merchant, entries, days, msg }) => [level, merchant, entries, days, msg]),
    [
      ['info', 1, 500, 400, 'Old audit entries were deleted'],
      ['error', 2, undefined, undefined, 'Old audit entries of a merchant were not deleted'],
    ],
  )
  db.stubborn = undefined
  assert.equal(await job.run(), 4)
  assert.deepEqual([await left(1), await left(2)], [2, 0])
  lines.length = 0
  assert.equal(await job.run(), 0)
  assert.deepEqual(lines, [])
})

test('a hundred merchants are visited at a time', async () => {
  for (let merchantId = 1_000; merchantId <= 1_100; merchantId += 1) await insert(merchantId, daysAgo(401))
  const job = forgetAuditJob({ db, log: makeLog('silent'), now: () => now, days: 400 })
  assert.equal(await job.run(), 100)
  assert.equal(await job.run(), 1)
})
