import { makeBatch } from '../database/batch.ts'
import { sqlState, type Database } from '../database/database.ts'
import type { Logger } from '../http/log.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { makeLanes, type Lane } from './lanes.ts'
import { pauseHopeless } from './pause-receivers.ts'
import { nextTryAt } from './retry-schedule.ts'
import { ipnOf, sendIpn, type IpnSender, type Outcome } from './send-ipn.ts'
import { sendMail, type MailSender } from './send-mail.ts'
import { claim, listDueLanes, note, type Asked, type Claim, type Note } from './store.ts'

// Carries deliveries from the table to where they go. It is told of new ones by this process and, by NOTIFY, by
// others; once a second it also looks by itself, for retries and for what a dead process left.

export type Deliverer = {
  start(): { stop(): Promise<void> }
  /** Looks for what is due now, without waiting for the next round. */
  look(): Promise<void>
  ask(lane: Lane): void
  isRunning(): boolean
}

export type DelivererOptions = {
  readonly db: Database
  readonly log: Logger
  readonly now: () => Date
  readonly ipn: IpnSender
  readonly mail: MailSender
  readonly metrics: DeliveryMetrics
  readonly random?: () => number
}

// A mail has to be noted before its lease ends even if the database is away for a while: mail must not go twice.
const leaseMs = { ipn: 30_000, mail: 300_000 }
/** A try that would not begin in time is left to whoever claims it next. */
const beginWithinMs = 10_000
const lookEveryMs = 1_000
const lanesAtOnce = 1_000
const pauseAfterErrorMs = 250
const stopWithinMs = 20_000

export function makeDeliverer(options: DelivererOptions): Deliverer {
  const { db, log, now } = options
  const lanes = makeLanes()
  const notes = makeBatch<Note, void>({
    maxSize: 500,
    maxInFlight: 1,
    run: async (items) => writeNotes(options, items),
    isAboutData: (error) => sqlState(error) !== undefined,
  })
  let running = false
  let pumping = false
  let lookedUpTo: Lane | undefined
  let timer: NodeJS.Timeout | undefined
  const underWay = new Set<Promise<void>>()

  /** Claims until no lane with room is left. One at a time: lanes that are asked meanwhile share the next claim. */
  async function pump(): Promise<void> {
    if (pumping || !running) return
    pumping = true
    try {
      for (let asked = lanes.next(); asked.length > 0; asked = running ? lanes.next() : []) {
        await take(asked)
      }
    } finally {
      pumping = false
    }
  }

  async function take(asked: readonly Asked[]): Promise<void> {
    let claims: Claim[] = []
    try {
      claims = await claim(db, asked, now(), leaseMs)
    } catch (error) {
      log.warn({ err: error }, 'Deliveries could not be claimed')
      for (const lane of asked) lanes.took(lane, 0)
      return
    }
    const claimedAt = performance.now()
    const counts = new Map<string, number>()
    for (const one of claims) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
    for (const lane of asked) {
      lanes.took(lane, counts.get(`${lane.merchantId} ${lane.mode} ${lane.origin}`) ?? 0)
    }
    for (const one of claims) {
      const carried = carry(one, claimedAt).finally(() => underWay.delete(carried))
      underWay.add(carried)
    }
  }

  async function carry(one: Claim, claimedAt: number): Promise<void> {
    const lane: Lane = { merchantId: one.merchant_id, mode: one.mode, origin: one.origin }
    let ms = 0
    try {
      if (performance.now() - claimedAt > beginWithinMs) return
      const at = now()
      const outcome = await attempt(options, one)
      ms = outcome.ms
      options.metrics.tried(one, outcome)
      await noteSurely(noteOf(one, outcome, at, now(), options.random))
    } catch (error) {
      log.error(
        { err: error, delivery: one.id },
        'A delivery could not be tried; it will be when its lease ends',
      )
    } finally {
      lanes.finished(lane, ms)
      void pump()
    }
  }

  /** What was done must be known: while the database is away it is told again, as long as this process lives. */
  async function noteSurely(one: Note): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await notes(one)
      } catch (error) {
        if (sqlState(error) !== undefined || (!running && tries > 20)) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs))
      }
    }
  }

  async function look(): Promise<void> {
    const due = await listDueLanes(db, lookedUpTo, now(), lanesAtOnce)
    lookedUpTo = due.length === lanesAtOnce ? due.at(-1) : undefined
    for (const lane of due) lanes.ask(lane)
    await pump()
  }

  function lookAgainIn(ms: number): void {
    timer = setTimeout(() => void lookNow(), ms)
  }

  async function lookNow(): Promise<void> {
    const began = performance.now()
    await look().catch((error: unknown) => log.warn({ err: error }, 'Due deliveries could not be looked for'))
    // With very many receivers in trouble the look itself takes long: then it is done less often.
    if (running) lookAgainIn(Math.max(lookEveryMs, (performance.now() - began) * 10))
  }

  return {
    look,
    ask(lane) {
      lanes.ask(lane)
      void pump()
    },
    isRunning: () => running,
    start() {
      running = true
      void lookNow()
      return {
        async stop() {
          running = false
          clearTimeout(timer)
          await settledWithin(stopWithinMs, underWay)
        },
      }
    },
  }
}

async function attempt(options: DelivererOptions, one: Claim): Promise<Outcome> {
  return one.kind === 'ipn' ? sendIpn(options.ipn, ipnOf(one)) : sendMail(options.mail, one)
}

function noteOf(one: Claim, outcome: Outcome, at: Date, now: Date, random?: () => number): Note {
  const { ms, status, error, answer } = outcome
  const next = outcome.verdict === 'failed' ? nextTryAt(one.step, now, outcome.retryAfter, random) : undefined
  return {
    merchant_id: one.merchant_id,
    id: one.id,
    attempt: one.tries,
    at: at.toISOString(),
    ms,
    status,
    error,
    answer,
    state: next ? 'waiting' : stateAfter(outcome.verdict),
    step: next ? one.step + 1 : one.step,
    next_try_at: next?.toISOString() ?? null,
  }
}

function stateAfter(verdict: Outcome['verdict']): 'delivered' | 'failed' | 'skipped' {
  return verdict === 'delivered' || verdict === 'skipped' ? verdict : 'failed'
}

async function writeNotes(options: DelivererOptions, items: readonly Note[]): Promise<void[]> {
  const failed = await note(options.db, items)
  const paused = await pauseHopeless(options.db, failed, options.now())
  for (const { merchantId, mode, origin } of paused) {
    options.log.warn({ merchant: merchantId, mode, origin }, 'A receiver failed for 120 hours and is paused')
  }
  return items.map(() => undefined)
}

function nameOf(one: Claim): string {
  return `${one.merchant_id} ${one.mode} ${one.origin}`
}

async function settledWithin(limitMs: number, work: ReadonlySet<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([Promise.allSettled(work), late])
  clearTimeout(timer)
}
