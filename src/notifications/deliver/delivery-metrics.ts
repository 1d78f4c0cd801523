import type { Database } from '../../database/database.ts'
import type { Metrics } from '../../http/metrics.ts'
import { measureBacklog, type Backlog } from '../record-store.ts'
import type { Outcome } from '../ipn/send-ipn.ts'
import type { Claim } from '../store.ts'

export type DeliveryMetrics = { tried(one: Claim, outcome: Outcome): void }

const secondsBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3_600, 86_400]
/** The backlog is counted row by row, so not more often than this however many ask. */
const rememberMs = 10_000

export function makeDeliveryMetrics(metrics: Metrics, db: Database, now: () => Date): DeliveryMetrics {
  const tries = metrics.counter(
    'florin_delivery_tries_total',
    'Tries to deliver, by kind and how they ended.',
    ['kind', 'outcome'],
  )
  const seconds = metrics.histogram(
    'florin_delivery_seconds',
    'Time from the event to its delivery, by kind.',
    secondsBuckets,
    ['kind'],
  )
  const backlog = makeBacklog(db, now)
  metrics.gauge(
    'florin_deliveries_waiting',
    'Deliveries that wait for their next try.',
    async () => (await backlog()).waiting,
  )
  metrics.gauge(
    'florin_deliveries_paused',
    'Deliveries that wait for a merchant to resume its receiver.',
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
  }
}

function makeBacklog(db: Database, now: () => Date): () => Promise<Backlog> {
  let known: Promise<Backlog> | undefined
  let untilMs = 0
  return async () => {
    if (known === undefined || Date.now() > untilMs) {
      untilMs = Date.now() + rememberMs
      // A scrape while the database is away must still show everything else.
      known = measureBacklog(db, now()).catch(() => ({ waiting: NaN, paused: NaN, oldest_seconds: NaN }))
    }
    return known
  }
}
