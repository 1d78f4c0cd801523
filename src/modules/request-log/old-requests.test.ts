import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { makeLog } from '../../platform/http/log.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { pruneJobs } from '../../platform/jobs/pruning.ts'
import { oldRequests } from './old-requests.ts'
import { insertRequests, type NewRequest } from './request-store.ts'

/** Refuses to delete anything of one merchant. */
class StubbornDatabase extends Database {
  stubborn: unknown
  override async query<R extends object = Row>(statement: Sql): Promise<R[]> {
    if (statement.text.includes('delete') && statement.values[0] === this.stubborn)
      throw new Error('not this one')
    return super.query<R>(statement)
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
const daysAgo = (days: number, seconds = 0): string =>
  new Date(now.getTime() - days * 86_400_000 + seconds * 1_000).toISOString()

let drawn = 0
function lines(mode: NewRequest['mode'], at: string, count: number): NewRequest[] {
  return Array.from({ length: count }, () => ({
    mode,
    at,
    id: `log_${(drawn += 1)}`,
    request_id: 'req_1',
    key_id: 'key_1',
    method: 'GET',
    path: `/api/transaction/order-${drawn}`,
    status: 200,
    duration_us: 1,
    request_body: null,
    answer_body: null,
    warnings: null,
  }))
}

async function left(merchantId: number): Promise<Row> {
  const rows = await db.query<{ mode: string }>(
    sql`select mode from request_log where merchant_id = ${merchantId}`,
  )
  const counts = Map.groupBy(rows, ({ mode }) => mode)
  return Object.fromEntries([...counts].map(([mode, all]) => [mode, all.length]))
}

test('expired requests of every mode are deleted, a thousand of each at a time', async () => {
  const [own, stubborn] = [
    await createMerchant(db, { name: 'Corner shop' }),
    await createMerchant(db, { name: 'Kiosk' }),
  ]
  await insertRequests(db, own, [
    ...lines('test', daysAgo(7, -1), 1_001),
    ...lines('live', daysAgo(7, -1), 2),
    ...lines('none', daysAgo(7, -1), 3),
    ...lines('test', daysAgo(7), 4),
  ])
  await insertRequests(db, stubborn, lines('test', daysAgo(8), 5))
  db.stubborn = stubborn
  const told: Row[] = []
  const log = makeLog('info', { write: (line: string) => void told.push(JSON.parse(line) as Row) })
  const [job] = pruneJobs([{ pruning: oldRequests, days: 7 }], { db, log, now: () => now })
  assert.ok(job)
  assert.deepEqual([job.name, job.everyMs], ['prune requests', 600_000])
  assert.equal(await job.run(), 1_005)
  assert.deepEqual([await left(own), await left(stubborn)], [{ test: 5 }, { test: 5 }])
  assert.deepEqual(
    told.map(({ level, merchantId, count, msg }) => [level, merchantId ?? count, msg]),
    [
      ['error', stubborn, 'Old data could not be deleted'],
      ['info', 1_005, 'Deleted old data'],
    ],
  )
  db.stubborn = undefined
  assert.equal(await job.run(), 6)
  assert.deepEqual([await left(own), await left(stubborn)], [{ test: 4 }, {}])
})
