import { setTimeout as pause } from 'node:timers/promises'
import type { MerchantBatch } from '../../../platform/database/batch.ts'
import { isAway, type Database } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import type { Carrier, Outbox, Reserved } from '../outbox.ts'
import { makeQueues, queueName, type QueueRequest, type Queue } from '../queues.ts'
import { ipnOf, sendIpn, type IpnSender, type Outcome } from '../ipn/send-ipn.ts'
import { sendMail, type MailSender } from '../mail/send-mail.ts'
import { makeRecentMerchants } from '../../../platform/jobs/lately.ts'
import { findOrRemember } from '../../../platform/jobs/visit-due.ts'
import { findMerchantsWithDueDeliveries } from '../due-look-store.ts'
import type { TryResult } from '../result-store.ts'
import { claim, listDueQueues, type Claim } from '../store.ts'
import { makeRecorder, resultOf } from './recorder.ts'
import { isLasting, makeTurns } from './turns.ts'

// Delivers from the table to receivers. This process announces new deliveries by a call and others by NOTIFY; once a
// second it also searches, for retries and for what a dead process left. A search only finds merchants. Each is then
// visited separately: one that fails, because its node of a cluster is down, doesn't hold up others.

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

/** An attempt that wouldn't start in time is left to the next claim. */
const beginWithinMs = 10_000
const lookEveryMs = 1_000
/** The first number is 0: the installation, which writes to its people. */
const beforeAll = -1
const merchantsAtOnce = 1_000
const queuesAtOnce = 1_000
/** Of the 20 connections of a process, which its requests need too. */
const listingsAtOnce = 2
const claimsAtOnce = 4
const pauseAfterErrorMs = 250
const recordsAfterStop = 20
const stopWithinMs = 20_000

export class Deliverer implements Carrier {
  readonly #options: DelivererOptions
  readonly #queues = makeQueues()
  /** Some of the current deliveries have to be retried later. */
  readonly #lately = makeRecentMerchants()
  readonly #underWay = new Set<Promise<void>>()
  readonly #write: MerchantBatch<TryResult, void>
  readonly #listings = makeTurns(listingsAtOnce)
  readonly #claims = makeTurns(claimsAtOnce)
  readonly #visiting = new Set<number>()
  readonly #claiming = new Set<number>()
  #running = false
  #isClaimingSoon = false
  /** The merchant up to whom the last look came, when there were more. */
  #lookedUpTo: number | undefined
  /** The same for the queues of a merchant that has more than can be listed at once. */
  readonly #listedUpTo = new Map<number, Queue>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#write = makeRecorder(options)
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
    this.#lately.remember(queue.merchantId)
    if (!this.#running || !this.#queues.reserve(queue)) return undefined
    const claimedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<Claim | undefined>()
    this.#add(promise.then(async (one) => (one ? this.#carry(one, claimedAt) : this.#release(queue))))
    return { settle: resolve }
  }

  /** There may be something due in this queue. */
  ask(queue: Queue): void {
    this.#lately.remember(queue.merchantId)
    this.#queues.ask(queue)
    void this.#claimOf(queue.merchantId)
  }

  /** Looks for what is due now, without waiting for the next round; nor for a merchant that was in trouble before. */
  async look(): Promise<{ findMs: number }> {
    const began = performance.now()
    const found = await findOrRemember({
      log: this.#options.log,
      lately: this.#lately,
      what: 'due deliveries',
      max: merchantsAtOnce,
      look: async () => this.#find(),
      isHopeless: isAway,
    })
    const findMs = performance.now() - began
    const visits = found.map((merchantId) => ({
      isAwaited: !this.#listings.isInTrouble(merchantId),
      ended: this.#visit(merchantId),
    }))
    await Promise.all(visits.filter(({ isAwaited }) => isAwaited).map(async ({ ended }) => ended))
    return { findMs }
  }

  async #find(): Promise<readonly number[]> {
    const { db, now } = this.#options
    const found: number[] = []
    do {
      const look = await findMerchantsWithDueDeliveries(db, this.#lookedUpTo ?? beforeAll, now())
      found.push(...look.merchants)
      this.#lookedUpTo = look.nextCursor
    } while (this.#lookedUpTo !== undefined && found.length < merchantsAtOnce)
    return found
  }

  async #visit(merchantId: number): Promise<void> {
    // No test: saves a second visit: rows are claimed in the database
    if (this.#visiting.has(merchantId)) return
    this.#visiting.add(merchantId)
    const { db, log, now } = this.#options
    try {
      const after = this.#listedUpTo.get(merchantId)
      const due = await this.#listings.run(merchantId, async () =>
        listDueQueues(db, merchantId, after, now(), queuesAtOnce),
      )
      const last = due.length === queuesAtOnce ? due.at(-1) : undefined
      if (last) this.#listedUpTo.set(merchantId, last)
      else this.#listedUpTo.delete(merchantId)
      for (const queue of due) this.#queues.ask(queue)
      await this.#claimOf(merchantId)
    } catch (error) {
      log.warn({ err: error, merchant: merchantId }, "Could not list a merchant's due deliveries")
    } finally {
      this.#visiting.delete(merchantId)
    }
  }

  async #lookAgainAndAgain(): Promise<void> {
    const began = performance.now()
    let pauseMs = lookEveryMs
    try {
      const { findMs } = await this.look()
      // With very many receivers in trouble the look takes long, and then it is done less often: it costs a tenth of a
      // connection at most, and visits a half. But a look that had to stop at a thousand merchants goes on soon.
      const visitsMs = this.#lookedUpTo === undefined ? performance.now() - began - findMs : 0
      pauseMs = Math.max(lookEveryMs, findMs * 10, visitsMs)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Could not look for due deliveries')
    }
    if (this.#running) this.#timer = setTimeout(() => void this.#lookAgainAndAgain(), pauseMs)
  }

  /**
   * Until the merchant has no queue with room left. One claim of a merchant at a time: queues that are asked for meanwhile
   * share the next one.
   */
  async #claimOf(merchantId: number): Promise<void> {
    if (this.#claiming.has(merchantId)) return
    this.#claiming.add(merchantId)
    while (this.#running && this.#queues.hasRoom(merchantId)) await this.#claimOnce(merchantId)
    this.#claiming.delete(merchantId)
  }

  async #claimOnce(merchantId: number): Promise<void> {
    const { db, log, now } = this.#options
    let asked: QueueRequest[] = []
    let claims: Claim[] = []
    try {
      claims = await this.#claims.run(merchantId, async () => {
        asked = this.#queues.next(merchantId)
        return asked.length === 0 ? [] : claim(db, merchantId, asked, now())
      })
    } catch (error) {
      log.warn({ err: error, merchant: merchantId }, "Could not claim a merchant's deliveries")
    }
    const claimedAt = performance.now()
    const counts = new Map<string, number>()
    for (const one of claims)
      counts.set(queueName(queueOf(one)), (counts.get(queueName(queueOf(one))) ?? 0) + 1)
    for (const queue of asked) this.#queues.took(queue, counts.get(queueName(queue)) ?? 0)
    for (const one of claims) this.#add(this.#carry(one, claimedAt))
  }

  /** There is room again. Whoever waits for it is looked up once for all tries that ended together. */
  #claimSoon(): void {
    if (this.#isClaimingSoon) return
    this.#isClaimingSoon = true // No test: asks more often and claims the same
    setImmediate(() => {
      this.#isClaimingSoon = false
      for (const merchantId of this.#queues.ready()) void this.#claimOf(merchantId)
    })
  }

  #add(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  #release(queue: Queue): void {
    this.#queues.release(queue)
    this.#claimSoon()
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
        "Could not record a delivery's result; will retry when its lease ends",
      )
    }
  }

  /** Its slot is free before the result is recorded: the next delivery needs the receiver, not our database. */
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
      this.#claimSoon()
    }
  }

  /** Results must be recorded: while the database is unavailable this is retried, as long as this process lives. */
  async #record(result: TryResult): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#write(result.merchant_id, result)
      } catch (error) {
        if (isLasting(error) || (!this.#running && tries > recordsAfterStop)) throw error
        await pause(pauseAfterErrorMs)
      }
    }
  }

  async #stop(): Promise<void> {
    this.#running = false
    clearTimeout(this.#timer) // No test: saves a look after the end
    await Promise.race([Promise.allSettled(this.#underWay), pause(stopWithinMs, undefined, { ref: false })])
  }
}

async function attempt(options: DelivererOptions, one: Claim): Promise<Outcome> {
  return one.kind === 'ipn' ? sendIpn(options.ipn, ipnOf(one)) : sendMail(options.mail, one)
}

function queueOf(one: Claim): Queue {
  return { merchantId: one.merchant_id, mode: one.mode, origin: one.origin }
}
