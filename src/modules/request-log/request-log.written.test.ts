import assert from 'node:assert/strict'
import { after, afterEach, before, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertRows } from '../../../test/support/rows.ts'
import { Database, type Row } from '../../platform/database/database.ts'
import type { Lease } from '../../platform/database/pool/connections.ts'
import { sql } from '../../platform/database/sql.ts'
import { DatabaseUnavailable } from '../../platform/errors/database-unavailable.ts'
import { makeLog } from '../../platform/http/log.ts'
import { makeMetrics, type Metrics } from '../../platform/http/metrics.ts'
import type { KnownCaller } from '../../platform/http/note-answer.ts'
import { makeRequestLog, type RequestLog } from './request-log.ts'

/** Counts what is asked of it. It can be held for a while, be away, or be a cluster. */
class WatchedDatabase extends Database {
  asked = 0
  isAway = false
  isOneMachine = true
  held: Promise<void> = Promise.resolve()
  override async connect(merchantId: number | undefined): Promise<Lease> {
    this.asked += 1
    await this.held
    if (this.isAway) throw new DatabaseUnavailable(false)
    return super.connect(merchantId)
  }
  override get sharesCommits(): boolean {
    return this.isOneMachine
  }
}

const merchants = Array.from({ length: 101 }, (_, index) => 20_000_000 + index)
const [one = 0, other = 0] = merchants
let home: TestDatabase
let db: Database
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  const rows = merchants.map((id) => ({ id, name: 'Corner shop' }))
  await insertRows(db, 'merchants', rows)
})
after(async () => {
  await db.close()
  await home.drop()
})
afterEach(async () => {
  for (const merchantId of [one, other])
    await db.query(sql`delete from request_log where merchant_id = ${merchantId}`)
})

type Opened = { watched: WatchedDatabase; metrics: Metrics; log: RequestLog; lines: string[] }

/** Time stands still until the test lets it go on. */
function open(t: TestContext, perSecond = 10_000): Opened {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.UTC(2026, 10, 16) })
  const watched = new WatchedDatabase(home.url)
  const [metrics, lines]: [Metrics, string[]] = [makeMetrics(), []]
  const log = makeRequestLog({
    db: watched,
    metrics,
    log: makeLog('info', { write: (line: string) => void lines.push(line) }),
    perSecond,
  })
  t.after(async () => {
    watched.isAway = false
    await log.close()
    await watched.close()
  })
  return { watched, metrics, log, lines }
}

type LoggedRequest = {
  readonly merchantId?: number
  readonly status?: number
  readonly ms?: number
} & Partial<Pick<KnownCaller, 'mode' | 'isTurnedAway'>>

function note(
  log: RequestLog,
  { merchantId = one, status = 200, ms = 1, ...caller }: LoggedRequest = {},
): void {
  const request = {
    id: 'req_1',
    method: 'POST',
    url: '/api/payment?token=a%20b',
    body: { pin: 1, amount: 2 },
  }
  log.note(
    request as unknown as FastifyRequest,
    { statusCode: status } as FastifyReply,
    { merchantId, keyId: 'key_0000000000000001', mode: 'test', ...caller },
    ms,
  )
}

function noteMany(log: RequestLog, count: number, asked: LoggedRequest = {}): void {
  for (let index = 0; index < count; index += 1) note(log, asked)
}

async function stored(merchantId = one): Promise<Row[]> {
  return db.query(sql`
    select mode, at, request_id, key_id, method, path, status, duration_us, request_body, answer_body, id
    from request_log where merchant_id = ${merchantId} order by duration_us`)
}

async function commitOf(merchantId: number): Promise<unknown> {
  const rows = await db.query(sql`select xmin::text from request_log where merchant_id = ${merchantId}`)
  return rows[0]?.['xmin']
}

/** How many are counted as missing, and why. */
async function missing(metrics: Metrics): Promise<Record<string, number>> {
  const found = (await metrics.print()).matchAll(
    /florin_requests_not_logged_total\{reason="(\w+)"\} ([1-9]\d*)/g,
  )
  return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]))
}

test('a line says who requested what, when, for how long and how it ended', async (t) => {
  const { log } = open(t)
  note(log, { status: 404, ms: 1.2345 })
  note(log, { mode: undefined, ms: 2_147_483.648 })
  await log.flush()
  const lines = await stored()
  const line = {
    id: 'drawn',
    mode: 'test',
    at: '2026-11-16T00:00:00.000000Z',
    request_id: 'req_1',
    key_id: 'key_0000000000000001',
    method: 'POST',
    path: '/api/payment?token=[hidden]',
    status: 404,
    duration_us: 1_235,
    request_body: '{"pin":"[hidden]","amount":2}',
    answer_body: null,
  }
  for (const { id } of lines) assert.match(String(id), /^log_[0-9A-Za-z]{16}$/)
  assert.deepEqual(
    lines.map((each) => ({ ...each, id: 'drawn' })),
    [line, { ...line, mode: 'none', status: 200, duration_us: 2_147_483_647 }],
  )
})

test('lines are written after a second, and nothing if there are none', async (t) => {
  const { log, watched, metrics } = open(t, 1)
  t.mock.timers.tick(5_000)
  await nextTurn()
  noteMany(log, 21)
  t.mock.timers.tick(999)
  await nextTurn()
  assert.equal(watched.asked, 0)
  t.mock.timers.tick(1)
  await nextTurn()
  assert.equal(watched.asked, 1)
  assert.deepEqual(await missing(metrics), { busy: 1 })
  await log.flush()
  assert.equal((await stored()).length, 20)
  // What nobody keeps is counted, and the database is not asked for it.
  noteMany(log, 23, { merchantId: other, isTurnedAway: true })
  await log.flush()
  const { asked } = watched
  noteMany(log, 2, { merchantId: other, isTurnedAway: true })
  t.mock.timers.tick(1_000)
  await nextTurn()
  assert.deepEqual(await missing(metrics), { busy: 6 })
  assert.equal(watched.asked, asked)
})

test('only one write runs at a time, however slow the database is', async (t) => {
  const { log, watched } = open(t)
  const { promise, resolve } = Promise.withResolvers<void>()
  watched.held = promise
  for (let second = 0; second < 3; second += 1) {
    note(log)
    t.mock.timers.tick(1_000)
    await nextTurn()
    assert.equal(watched.asked, 1)
  }
  resolve()
  await log.flush()
  assert.equal((await stored()).length, 3)
  assert.equal(watched.asked, 2)
})

test('two thousand lines are buffered, and the overflow is counted', async (t) => {
  const { log, metrics } = open(t)
  noteMany(log, 2_000)
  assert.deepEqual(await missing(metrics), {})
  noteMany(log, 2)
  assert.deepEqual(await missing(metrics), { full: 2 })
  await log.flush()
  assert.equal((await stored()).length, 2_000)
  note(log)
  await log.flush()
  assert.equal((await stored()).length, 2_001)
})

test('successful requests, refused ones and those of an invalid key have a share each', async (t) => {
  const { log, metrics } = open(t, 1)
  noteMany(log, 25, { status: 399, ms: 0.001 })
  noteMany(log, 25, { status: 400, ms: 0.002 })
  noteMany(log, 25, { status: 401, ms: 0.003, isTurnedAway: true })
  noteMany(log, 25, { status: 400, ms: 0.004, merchantId: other })
  await log.flush()
  const counted = Map.groupBy(await stored(), ({ status }) => status)
  assert.deepEqual(
    [...counted].map(([status, lines]) => [status, lines.length]),
    [
      [399, 20],
      [400, 20],
      [401, 20],
    ],
  )
  assert.equal((await stored(other)).length, 20)
  assert.deepEqual(await missing(metrics), { busy: 20 })
})

test('lines of many merchants are written in one commit per hundred, and on a cluster each in its own', async (t) => {
  const { log, watched } = open(t)
  for (const merchantId of merchants) note(log, { merchantId })
  await log.flush()
  const commits: unknown[] = []
  for (const merchantId of merchants) commits.push(await commitOf(merchantId))
  assert.equal(new Set(commits.slice(0, 100)).size, 1)
  assert.notEqual(commits[100], commits[0])
  assert.ok(!commits.includes(undefined))
  for (const merchantId of [one, other])
    await db.query(sql`delete from request_log where merchant_id = ${merchantId}`)
  watched.isOneMachine = false
  for (const merchantId of [one, other]) note(log, { merchantId })
  await log.flush()
  assert.notEqual(await commitOf(one), await commitOf(other))
  assert.notEqual(await commitOf(other), undefined)
  const { asked } = watched
  await log.flush()
  assert.equal(watched.asked, asked)
})

test('one merchant’s refused rows don’t affect others, and are logged with their merchant', async (t) => {
  const { log, metrics, lines } = open(t)
  // No row has room for such a time.
  note(log, { merchantId: other, ms: Number.NaN })
  noteMany(log, 2)
  await log.flush()
  assert.equal((await stored()).length, 2)
  assert.deepEqual(await missing(metrics), { not_written: 1 })
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Row)['merchants']),
    [[other]],
  )
})

test('an unavailable database is asked once for all, and the loss is logged once', async (t) => {
  const { log, watched, metrics, lines } = open(t)
  watched.isAway = true
  noteMany(log, 2)
  note(log, { merchantId: other })
  await log.flush()
  assert.equal(watched.asked, 1)
  assert.deepEqual(await missing(metrics), { not_written: 3 })
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Row)['merchants']),
    [[one, other]],
  )
})

test('closing writes the buffered lines, and nothing is written after it', async (t) => {
  const { log, watched } = open(t)
  note(log)
  await log.close()
  assert.equal((await stored()).length, 1)
  const { asked } = watched
  note(log)
  t.mock.timers.tick(1_000)
  await nextTurn()
  assert.equal(watched.asked, asked)
})
