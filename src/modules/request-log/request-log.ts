import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  inSharedTransaction,
  isAway,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import type { Logger } from '../../platform/http/log.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { KnownCaller, OnAnswer } from '../../platform/http/note-answer.ts'
import { makeRateLimit } from '../../platform/http/rate-limit.ts'
import { sentText } from '../../platform/http/send-text.ts'
import { warningsOf } from '../../platform/input/unknown-fields.ts'
import { hideInAnswer, hideInBody, hideInPath } from './hide-in-body.ts'
import { insertRequests, type NewRequest } from './request-store.ts'

// A log for developers. Nothing waits for it: a line is created after the answer was sent, and lines are written
// together, now and then. Whatever would slow a request down is dropped instead, and counted: more than a few a second
// per merchant, more than fits the buffer, and lines the database refused.

export type RequestLog = {
  /** After an answer to a caller identified by a key. Never throws. */
  readonly note: OnAnswer
  /** Writes what was noted so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushEveryMs = 1_000
/** Some 8 kB each at most. */
const linesMax = 2_000
/** The burst of a merchant that was quiet: someone is trying something out. */
const burstSeconds = 20
/** Beyond the first few of each, all merchants together have as much as this many (docs/performance.md). */
const merchantsWorth = 10
const firstFewSeconds = 5
/** Merchants whose lines are committed together. */
const merchantsAtOnce = 100

type Options = {
  readonly db: Database
  readonly metrics: Metrics
  readonly log: Logger
  /** Per merchant; as many again for refused requests. */
  readonly perSecond: number
}

type LogLine = { readonly merchantId: number; readonly row: NewRequest }

/** Per merchant. */
type MerchantRows = readonly [merchantId: number, rows: readonly NewRequest[]]

export function makeRequestLog({ db, metrics, log, perSecond }: Options): RequestLog {
  // Apart, so that a busy program does not hide what goes wrong in it.
  const keepsGood = makeShares(perSecond)
  const keepsBad = makeShares(perSecond)
  const leftOut = metrics.counter(
    'florin_requests_not_logged_total',
    'Requests missing from the request log, by reason.',
    { reason: ['busy', 'not_written', 'full'] },
  )
  let lines: LogLine[] = []
  let sampled = 0
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (sampled > 0) leftOut.inc({ reason: 'busy' }, sampled)
    sampled = 0
    const taken = lines
    lines = []
    const batches = [...Map.groupBy(taken, (line) => line.merchantId)].map(
      ([merchantId, own]): MerchantRows => [merchantId, own.map(({ row }) => row)],
    )
    for (let from = 0; from < batches.length; from += merchantsAtOnce)
      await writeAll(db, batches.slice(from, from + merchantsAtOnce), reportMissing)
  }

  function reportMissing(batches: readonly MerchantRows[], error: unknown): void {
    leftOut.inc({ reason: 'not_written' }, batches.flatMap(([, rows]) => rows).length)
    const merchants = batches.map(([merchantId]) => merchantId)
    log.warn({ err: error, merchants }, 'Could not write requests to the request log')
  }

  // One write at a time: while the database is slow, lines are left out and connections stay free.
  async function flush(): Promise<void> {
    writing = writing.then(write)
    await writing
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    note(request, reply, caller, ms) {
      const keeps = reply.statusCode < 400 ? keepsGood : keepsBad
      // Separate, so that calls with a dead key don't hide the program's own failures.
      const share = caller.isTurnedAway ? `${caller.merchantId} turned away` : String(caller.merchantId)
      if (!keeps(share)) sampled += 1
      else if (lines.length >= linesMax) leftOut.inc({ reason: 'full' })
      else lines.push({ merchantId: caller.merchantId, row: rowOf(request, reply, caller, ms) })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

type ReportMissing = (batches: readonly MerchantRows[], error: unknown) => void

/** In one commit, or each in its own if that fails: one merchant's bad rows don't affect others. */
async function writeAll(
  db: Database,
  batches: readonly MerchantRows[],
  reportMissing: ReportMissing,
): Promise<void> {
  if (batches.length === 1 || !db.sharesCommits) return writeEach(db, batches, reportMissing)
  const works = batches.map((batch) => async (tx: Transaction) => insertRequests(tx, ...batch))
  try {
    await inSharedTransaction(db, works)
  } catch (error) {
    if (isAway(error)) reportMissing(batches, error)
    else await writeEach(db, batches, reportMissing)
  }
}

async function writeEach(
  db: Database,
  batches: readonly MerchantRows[],
  reportMissing: ReportMissing,
): Promise<void> {
  for (const batch of batches)
    await insertRequests(db, ...batch).catch((error: unknown) => reportMissing([batch], error))
}

/** Says of each whether it is kept: the first few of everybody, and more while not too many want that. */
export function makeShares(perSecond: number, now?: () => number): (share: string) => boolean {
  const each = makeRateLimit({ perSecond, burst: perSecond * burstSeconds }, now)
  const firstFew = makeRateLimit({ perSecond: perSecond / firstFewSeconds, burst: perSecond }, now)
  const worth = perSecond * merchantsWorth
  const together = makeRateLimit({ perSecond: worth, burst: worth * burstSeconds }, now)
  return (share) => {
    if (each.take(share) !== undefined) return false
    return firstFew.take(share) === undefined || together.take('all') === undefined
  }
}

function rowOf(request: FastifyRequest, reply: FastifyReply, caller: KnownCaller, ms: number): NewRequest {
  const answer = sentText(reply)
  return {
    mode: caller.mode ?? 'none',
    at: new Date().toISOString(),
    id: `log_${randomBase62(16)}`,
    request_id: request.id,
    key_id: caller.keyId,
    method: request.method,
    path: hideInPath(request.url),
    status: reply.statusCode,
    duration_us: Math.min(Math.round(ms * 1000), 2_147_483_647),
    request_body: readable(() => hideInBody(request.body)),
    answer_body: answer === undefined ? null : readable(() => hideInAnswer(answer)),
    warnings: warningsOf(request.body)?.join('\n') ?? null,
  }
}

/** Ten thousand brackets one in another are JSON, and too deep to be written again. */
function readable(read: () => string | null): string | null {
  try {
    return read()
  } catch {
    return null
  }
}
