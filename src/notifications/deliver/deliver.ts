import { setTimeout as pause } from 'node:timers/promises'
import { makeBatch, type Batch } from '../../database/batch.ts'
import { sqlState, type Database } from '../../database/database.ts'
import type { Logger } from '../../http/log.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import type { Carrier, Outbox, Reserved } from '../outbox.ts'
import { makeQueues, queueName, type Asked, type Queue } from '../queues.ts'
import { pauseHopeless } from '../ipn/pause-receivers.ts'
import { nextTryAt } from './retry-schedule.ts'
import { ipnOf, sendIpn, type IpnSender, type Outcome } from '../ipn/send-ipn.ts'
import { sendMail, type MailSender } from '../mail/send-mail.ts'
import { claim, listDueQueues, recordResults, type Claim, type TryResult } from '../store.ts'

// Carries deliveries from the table to where they go. It is told of new ones by this process and, by NOTIFY, by
// others; once a second it also looks by itself, for retries and for what a dead process left.

export type DelivererOptions = {
  readonly db: Database
  readonly outbox: Outbox
  readonly log: Logger
  readonly now: () => Date
  readonly ipn: IpnSender
  readonly mail: MailSender
  readonly metrics: DeliveryMetrics
  readonly random?: () => number
}

/** A try that would not begin in time is left to whoever claims it next. */
const beginWithinMs = 10_000
const lookEveryMs = 1_000
const queuesAtOnce = 1_000
const pauseAfterErrorMs = 250
const recordsAfterStop = 20
const stopWithinMs = 20_000

export class Deliverer implements Carrier {
  readonly #options: DelivererOptions
  readonly #queues = makeQueues()
  readonly #underWay = new Set<Promise<void>>()
  readonly #write: Batch<TryResult, void>
  #running = false
  #claiming = false
  #lookedUpTo: Queue | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#write = makeBatch({
      maxSize: 500,
      maxInFlight: 1,
      run: async (results) => writeResults(options, results),
      isAboutData: (error) => sqlState(error) !== undefined,
    })
  }

  get isRunning(): boolean {
    return this.#running
  }

  start(): { stop(): Promise<void> } {
    this.#running = true
    void this.#lookAgainAndAgain()
    return { stop: () => this.#stop() }
  }

  now(): Date {
    return this.#options.now()
  }

  /** Undefined when a new delivery of this queue has to wait its turn. */
  reserve(queue: Queue): Reserved | undefined {
    if (!this.#running || !this.#queues.reserve(queue)) return undefined
    const claimedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<Claim | undefined>()
    this.#add(promise.then(async (one) => (one ? this.#carry(one, claimedAt) : this.#release(queue))))
    return { settle: resolve }
  }

  /** There may be something due in this queue. */
  ask(queue: Queue): void {
    this.#queues.ask(queue)
    void this.#claimAll()
  }

  /** Looks for what is due now, without waiting for the next round. */
  async look(): Promise<void> {
    const { db, now } = this.#options
    const due = await listDueQueues(db, this.#lookedUpTo, now(), queuesAtOnce)
    this.#lookedUpTo = due.length === queuesAtOnce ? due.at(-1) : undefined
    for (const queue of due) this.#queues.ask(queue)
    await this.#claimAll()
  }

  async #lookAgainAndAgain(): Promise<void> {
    const began = performance.now()
    try {
      await this.look()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Due deliveries could not be looked for')
    }
    // With very many receivers in trouble the look itself takes long: then it is done less often.
    const pauseMs = Math.max(lookEveryMs, (performance.now() - began) * 10)
    if (this.#running) this.#timer = setTimeout(() => void this.#lookAgainAndAgain(), pauseMs)
  }

  /** Until no queue with room is left. One at a time: queues that are asked for meanwhile share the next claim. */
  async #claimAll(): Promise<void> {
    if (this.#claiming || !this.#running) return
    this.#claiming = true
    for (
      let asked = this.#queues.next();
      asked.length > 0;
      asked = this.#running ? this.#queues.next() : []
    ) {
      await this.#claim(asked)
    }
    this.#claiming = false
  }

  async #claim(asked: readonly Asked[]): Promise<void> {
    const { db, log, now } = this.#options
    const claims = await claim(db, asked, now()).catch((error: unknown) => {
      log.warn({ err: error }, 'Deliveries could not be claimed')
      return []
    })
    const claimedAt = performance.now()
    const counts = new Map<string, number>()
    for (const one of claims)
      counts.set(queueName(queueOf(one)), (counts.get(queueName(queueOf(one))) ?? 0) + 1)
    for (const queue of asked) this.#queues.took(queue, counts.get(queueName(queue)) ?? 0)
    for (const one of claims) this.#add(this.#carry(one, claimedAt))
  }

  #add(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  #release(queue: Queue): void {
    this.#queues.release(queue)
    void this.#claimAll()
  }

  async #carry(one: Claim, claimedAt: number): Promise<void> {
    const { log, random, now } = this.#options
    try {
      const at = now()
      const outcome = await this.#try(one, claimedAt)
      if (outcome) await this.#record(resultOf(one, outcome, at, now(), random))
    } catch (error) {
      log.error(
        { err: error, delivery: one.id },
        'How a delivery went was not recorded; it is tried when its lease ends',
      )
    }
  }

  /** Its room is free again before the result is recorded: whoever comes next needs the receiver, not our database. */
  async #try(one: Claim, claimedAt: number): Promise<Outcome | undefined> {
    let ms = 0
    try {
      if (performance.now() - claimedAt > beginWithinMs) return undefined
      const outcome = await attempt(this.#options, one)
      ms = outcome.ms
      this.#options.metrics.tried(one, outcome)
      return outcome
    } finally {
      this.#queues.finished(queueOf(one), ms)
      void this.#claimAll()
    }
  }

  /** What was done must be known: while the database is away it is told again, as long as this process lives. */
  async #record(result: TryResult): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#write(result)
      } catch (error) {
        if (isLasting(error) || (!this.#running && tries > recordsAfterStop)) throw error
        await pause(pauseAfterErrorMs)
      }
    }
  }

  async #stop(): Promise<void> {
    this.#running = false
    clearTimeout(this.#timer)
    await Promise.race([Promise.allSettled(this.#underWay), pause(stopWithinMs, undefined, { ref: false })])
  }
}

async function attempt(options: DelivererOptions, one: Claim): Promise<Outcome> {
  return one.kind === 'ipn' ? sendIpn(options.ipn, ipnOf(one)) : sendMail(options.mail, one)
}

function resultOf(one: Claim, outcome: Outcome, at: Date, now: Date, random?: () => number): TryResult {
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
    counts_against: outcome.verdict === 'failed',
  }
}

function stateAfter(verdict: Outcome['verdict']): Exclude<TryResult['state'], 'waiting'> {
  return verdict === 'gone' ? 'failed' : verdict
}

async function writeResults(options: DelivererOptions, results: readonly TryResult[]): Promise<void[]> {
  const failed = await recordResults(options.db, results)
  await pauseWhereHopeless(options, failed)
  return results.map(() => undefined)
}

async function pauseWhereHopeless(
  { db, outbox, log, now }: DelivererOptions,
  failed: readonly Queue[],
): Promise<void> {
  try {
    for (const { merchantId, mode, origin } of await pauseHopeless({ db, outbox }, failed, now())) {
      log.warn({ merchant: merchantId, mode, origin }, 'A receiver failed for 120 hours and is paused')
    }
  } catch (error) {
    // The next failure asks again.
    log.warn({ err: error }, 'Whether a receiver must be paused could not be asked')
  }
}

/** An error of the data stays; a deadlock or a database that was away does not. */
function isLasting(error: unknown): boolean {
  return /^(22|23|42)/.test(sqlState(error) ?? '')
}

function queueOf(one: Claim): Queue {
  return { merchantId: one.merchant_id, mode: one.mode, origin: one.origin }
}
