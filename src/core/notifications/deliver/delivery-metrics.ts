import type { Database } from '../../../platform/database/database.ts'
import { makeMeasured } from '../../../platform/http/measured.ts'
import type { Metrics } from '../../../platform/http/metrics.ts'
import { findMerchantsWithBacklog } from '../due-look-store.ts'
import type { Logger } from '../../../platform/http/log.ts'
import { visitMerchants } from './visit-merchants.ts'
import { measureBacklog, type Backlog } from '../record-store.ts'
import { verdicts, type Outcome } from '../ipn/send-ipn.ts'
import type { Claim } from '../store.ts'

export type DeliveryMetrics = {
  tried(one: Claim, outcome: Outcome): void
  /** So many will not be tried again. */
  gaveUp(count: number): void
}

const secondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3_600, 86_400]
const unknown: Backlog = { waiting: NaN, paused: NaN, oldest_seconds: NaN }

export function makeDeliveryMetrics(
  metrics: Metrics,
  db: Database,
  log: Logger,
  now: () => Date,
): DeliveryMetrics {
  const tries = metrics.counter('florin_delivery_tries_total', 'Delivery attempts, by kind and result.', {
    kind: ['ipn', 'mail'],
    outcome: verdicts,
  })
  const failed = metrics.counter(
    'florin_deliveries_failed_total',
    'Deliveries that were given up after the last attempt, or because the receiver refused them.',
  )
  const seconds = metrics.histogram(
    'florin_delivery_seconds',
    'Time from the event to its delivery, by kind.',
    secondsBuckets,
    ['kind'],
  )
  const backlog = makeMeasured(async () => measureAll(db, log, now()), unknown)
  metrics.gauge(
    'florin_deliveries_waiting',
    'Deliveries waiting for their next attempt.',
    async () => (await backlog()).waiting,
  )
  metrics.gauge(
    'florin_deliveries_paused',
    'Deliveries waiting for a merchant to resume the receiver.',
    async () => (await backlog()).paused,
  )
  metrics.gauge(
    'florin_deliveries_overdue_seconds',
    'How long the oldest due delivery has been due.',
    async () => (await backlog()).oldest_seconds,
  )
  return {
    tried(one, { verdict }) {
      tries.inc({ kind: one.kind, outcome: verdict })
      if (verdict !== 'delivered') return
      const since = (now().getTime() - Date.parse(one.created_at)) / 1000
      seconds.observe({ kind: one.kind }, Math.max(0, since))
    },
    gaveUp: (count) => failed.inc(count),
  }
}

/** All merchants except those that can't be queried, as when their node of a cluster is down. */
async function measureAll(db: Database, log: Logger, now: Date): Promise<Backlog> {
  let sum: Backlog = { waiting: 0, paused: 0, oldest_seconds: 0 }
  await visitMerchants({
    find: async (after) => findMerchantsWithBacklog(db, after),
    async visit(merchantId) {
      const { waiting, paused, oldest_seconds } = await measureBacklog(db, merchantId, now)
      sum = {
        waiting: sum.waiting + waiting,
        paused: sum.paused + paused,
        oldest_seconds: Math.max(sum.oldest_seconds, oldest_seconds),
      }
    },
    onError: (error, merchantId) =>
      log.warn({ err: error, merchant: merchantId }, "Could not count a merchant's waiting deliveries"),
  })
  return sum
}
