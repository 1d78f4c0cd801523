import type { Database } from '../../../platform/database/database.ts'
import type { Metrics } from '../../../platform/http/metrics.ts'
import type { Secrets } from '../../../platform/secrets/secrets.ts'
import { findMerchantsUnderAttack } from './forget-look-store.ts'
import { makeAttemptQueue, type AttemptQueue } from './line.ts'
import type { CardTestingLimits } from './limits.ts'
import { makeMarks, type Marks } from './marks.ts'
import { makeProofs, type Proofs } from './proof.ts'

// The defences against card testing, put together once per process.

export type CardTesting = {
  readonly limits: CardTestingLimits
  readonly marks: Marks
  readonly proofs: Proofs
  readonly line: AttemptQueue
  readonly metrics: CardTestingMetrics
}

export type CardTestingMetrics = {
  refused(reason: 'wait' | 'proof'): void
  attacked(): void
}

export type CardTestingOptions = {
  readonly db: Database
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly limits: CardTestingLimits
  readonly now: () => Date
}

export function makeCardTesting({ db, secrets, metrics, limits, now }: CardTestingOptions): CardTesting {
  const marks = makeMarks(db, secrets)
  return {
    limits,
    marks,
    proofs: makeProofs(marks, now),
    line: makeAttemptQueue(limits.freeDeclines),
    metrics: makeCardTestingMetrics(metrics, db, now),
  }
}

function makeCardTestingMetrics(metrics: Metrics, db: Database, now: () => Date): CardTestingMetrics {
  const refusals = metrics.counter(
    'florin_card_testing_refusals_total',
    'Attempts that were delayed, by what was required: a wait, or a proof of work during an attack.',
    { reason: ['wait', 'proof'] },
  )
  const attacks = metrics.counter(
    'florin_card_testing_attacks_total',
    'Card-testing attacks that this process detected.',
  )
  metrics.gauge(
    'florin_card_testing_merchants_under_attack',
    'Merchants whose customers currently need a proof of work.',
    async () => (await findMerchantsUnderAttack(db, now()).catch(() => [])).length,
  )
  return { refused: (reason) => refusals.inc({ reason }), attacked: () => attacks.inc() }
}
