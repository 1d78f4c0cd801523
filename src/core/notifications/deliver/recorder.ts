import { makeMerchantBatch, type MerchantBatch } from '../../../platform/database/batch.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Logger } from '../../../platform/http/log.ts'
import { pauseFailingReceivers } from '../ipn/pause-receivers.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import type { Outbox } from '../outbox.ts'
import type { Queue } from '../queues.ts'
import { withoutAddress } from '../receiver-of.ts'
import type { TryResult } from '../result-store.ts'
import type { Claim } from '../store.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { isFailure, recordResults, recordSuccesses } from './record-results.ts'
import { nextTryAt } from './retry-schedule.ts'
import { makeTurns } from './turns.ts'

// Writes how tries ended. Those of one merchant that end together share a commit.

export type RecorderOptions = {
  readonly db: Database
  readonly outbox: Outbox
  readonly log: Logger
  readonly now: () => Date
  readonly metrics: Pick<DeliveryMetrics, 'gaveUp'>
}

/** Of the 20 connections of a process, which its requests need too. */
const merchantsAtOnce = 4

export function makeRecorder(options: RecorderOptions): MerchantBatch<TryResult, void> {
  const turns = makeTurns(merchantsAtOnce)
  return makeMerchantBatch({
    maxSize: 500,
    maxInFlight: 1,
    run: async (merchantId, results, tx) =>
      tx
        ? recordSuccesses(tx, merchantId, results).then(() => results.map(() => undefined))
        : turns.run(merchantId, async () => writeResults(options, merchantId, results)),
    groupOn: options.db,
    mayJoin: (result) => !isFailure(result) && result.state !== 'failed',
  })
}

async function writeResults(
  options: RecorderOptions,
  merchantId: number,
  results: readonly TryResult[],
): Promise<void[]> {
  const failed = await recordResults(options.db, merchantId, results)
  options.metrics.gaveUp(results.filter(({ state }) => state === 'failed').length)
  await pauseWhereHopeless(options, merchantId, failed)
  return results.map(() => undefined)
}

async function pauseWhereHopeless(
  { db, outbox, log, now }: RecorderOptions,
  merchantId: number,
  failed: readonly Queue[],
): Promise<void> {
  try {
    for (const { mode, origin } of await pauseFailingReceivers({ db, outbox }, merchantId, failed, now())) {
      log.warn(
        { merchant: merchantId, mode, origin: withoutAddress(origin) },
        'Paused a receiver that failed for 120 hours',
      )
    }
  } catch (error) {
    // The next failure asks again.
    log.warn({ err: error, merchant: merchantId }, 'Could not check whether to pause a receiver')
  }
}

export function resultOf(
  one: Claim,
  outcome: Outcome,
  at: Date,
  now: Date,
  random?: () => number,
): TryResult {
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
  if (verdict === 'waits') return 'paused'
  return verdict === 'gone' ? 'failed' : verdict
}
