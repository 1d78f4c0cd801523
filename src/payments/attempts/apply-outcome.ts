import type { DeclineReason, Outcome } from '../../connectors/connector.ts'
import { makeMerchantBatch } from '../../database/batch.ts'
import { within, type Database, type Transaction } from '../../database/database.ts'
import { DatabaseUnavailable } from '../../errors/database-unavailable.ts'
import type { Logger } from '../../http/log.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { CardTesting } from '../card-testing/card-testing.ts'
import { findAttacks } from '../card-testing/decline-store.ts'
import { noteDeclines, type Declined } from '../card-testing/note-declines.ts'
import {
  attemptName,
  countDeclined,
  lockWithPayments,
  type AttemptKey,
  type LockedAttempts,
  type StandingAttempt,
} from './attempt-store.ts'
import { moveAttempts, type AttemptMove } from './move-attempt.ts'
import type { AttemptEvent, AttemptState } from '../state-machine.ts'
import { transitionAll, type Change, type TransitionDeps } from '../transition.ts'

// The funnel. A network's direct answer, its word after 3-D Secure, its callback and our asking all end here, in any
// order and any number: attempt, payment, history and notifications change in one commit, and what came before
// changes nothing. Outcomes of a merchant that arrive together share that commit.

export const declinedMax = 10
/** Attempts that the customer walked away from are not declined, yet they too come to an end. */
export const attemptsMax = 100

export type OutcomeDeps = TransitionDeps & {
  readonly db: Database
  readonly now: () => Date
  readonly log: Logger
  /** Without it declines are not counted, and nobody has to wait. */
  readonly cardTesting?: CardTesting
}

/** Returns the attempt as it is afterwards. */
export type ApplyOutcome = (key: AttemptKey, outcome: Outcome) => Promise<StandingAttempt>

type Arrived = { readonly key: AttemptKey; readonly outcome: Outcome }

const batchSizeMax = 100
const batchesInFlight = 2

export function makeApplyOutcome(deps: OutcomeDeps): ApplyOutcome {
  const apply = makeMerchantBatch<Arrived, StandingAttempt>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, arrived, shared) =>
      within(shared ?? deps.db, async (tx) => applyAll(deps, tx, merchantId, arrived)),
    isAboutData: (error) => !(error instanceof DatabaseUnavailable),
    company: deps.db,
  })
  return async (key, outcome) => apply(key.merchantId, { key, outcome })
}

/** What the transaction holds the locks of, brought up to date as rows move. */
type LockedRows = LockedAttempts & {
  readonly merchantId: number
  /** Where reasons are coarse, so that who tests cards does not learn what is wrong with each. */
  readonly attacked: readonly Mode[]
  readonly declined: Declined[]
}

async function applyAll(
  deps: OutcomeDeps,
  tx: Transaction,
  merchantId: number,
  arrived: readonly Arrived[],
): Promise<StandingAttempt[]> {
  const keys = arrived.map(({ key }) => key)
  // One order of locks, and nobody starts, cancels or expires meanwhile.
  const rows = await lockWithPayments(tx, merchantId, keys)
  const anyDeclined = arrived.some(({ outcome }) => outcome.kind === 'declined')
  const attacked = anyDeclined ? await findAttacks(tx, merchantId, deps.now()) : []
  const locked: LockedRows = { merchantId, ...rows, attacked, declined: [] }
  const results = new Map<Arrived, StandingAttempt>()
  for (const round of oncePerPayment(arrived)) {
    for (const [one, attempt] of await applyRound(deps, tx, locked, round)) results.set(one, attempt)
  }
  if (deps.cardTesting) await noteDeclines(deps, deps.cardTesting, tx, merchantId, locked.declined)
  return arrived.map((one) => results.get(one) as StandingAttempt)
}

/** Two outcomes of one payment are applied one after the other, as if they had not arrived together. */
function oncePerPayment(arrived: readonly Arrived[]): Arrived[][] {
  const rounds: Arrived[][] = []
  const seen = new Map<string, number>()
  for (const one of arrived) {
    const { number } = one.key
    const round = seen.get(number) ?? 0
    seen.set(number, round + 1)
    const members = (rounds[round] ??= [])
    members.push(one)
  }
  return rounds
}

async function applyRound(
  deps: OutcomeDeps,
  tx: Transaction,
  locked: LockedRows,
  round: readonly Arrived[],
): Promise<Map<Arrived, StandingAttempt>> {
  const moves = new Map(round.map((one) => [one, moveOf(locked, one, deps.now())]))
  const moved = await moveAttempts(tx, locked.merchantId, [...moves.values()])
  const results = new Map<Arrived, StandingAttempt>()
  const after: StandingAttempt[] = []
  for (const [one, { before }] of moves) {
    const name = attemptName(one.key)
    const attempt = moved.get(name)
    results.set(one, attempt ?? before)
    if (!attempt) {
      warnOfContradiction(deps.log, one, before.state)
      continue
    }
    locked.attempts.set(name, attempt)
    after.push(attempt)
    rememberDecline(locked, name, attempt, one.outcome)
  }
  await movePayments(deps, tx, locked, after)
  return results
}

function moveOf(locked: LockedRows, { key, outcome }: Arrived, at: Date): AttemptMove {
  const before = locked.attempts.get(attemptName(key))
  if (!before) throw new Error('An outcome came for an attempt that does not exist')
  const mode = locked.payments.get(key.number)?.mode
  const isAttacked = locked.attacked.some((attacked) => attacked === mode)
  return { before, event: eventOf(outcome, before.state), at, ...factsOf(outcome, isAttacked) }
}

/** Walking away from 3-D Secure counts like a decline: the stranger has learnt that the card is good. */
function rememberDecline(locked: LockedRows, name: string, attempt: StandingAttempt, outcome: Outcome): void {
  const trace = locked.traces.get(name)
  const mode = locked.payments.get(attempt.number)?.mode
  if (!trace || !mode || (attempt.state !== 'declined' && attempt.state !== 'abandoned')) return
  locked.declined.push({ mode, trace, reason: outcome.kind === 'declined' ? outcome.reason : undefined })
}

async function movePayments(
  deps: OutcomeDeps,
  tx: Transaction,
  locked: LockedRows,
  attempts: readonly StandingAttempt[],
): Promise<void> {
  const ended = attempts.filter(({ state }) => state === 'declined' || state === 'abandoned')
  const declined =
    ended.length > 0
      ? await countDeclined(
          tx,
          locked.merchantId,
          ended.map(({ number }) => number),
        )
      : new Map<string, number>()
  const changes = attempts.flatMap((attempt): Change[] => {
    const payment = locked.payments.get(attempt.number)
    if (!payment) throw new Error('An outcome came for a payment that does not exist')
    if (attempt.state === 'succeeded') return [{ payment, event: 'paid' }]
    const usedUp = attempt.attempt >= attemptsMax || (declined.get(attempt.number) ?? 0) >= declinedMax
    return ended.includes(attempt) && usedUp ? [{ payment, event: 'attempts_used_up' }] : []
  })
  const results = await transitionAll(deps, tx, locked.merchantId, changes)
  for (const [index, { moved, payment }] of results.entries()) {
    if (!moved && changes[index]?.event === 'paid')
      throw new Error(`Money came for a payment that is ${payment.state}`)
    locked.payments.set(payment.number, payment)
  }
}

const events = {
  charged: 'charged',
  declined: 'refused',
  action_required: 'needs_action',
  no_answer: 'no_answer',
} as const satisfies Record<Outcome['kind'], AttemptEvent>

function eventOf(outcome: Outcome, state: AttemptState): AttemptEvent {
  const walkedAway = outcome.kind === 'declined' && outcome.reason === 'challenge_abandoned'
  return walkedAway && state === 'action_required' ? 'given_up' : events[outcome.kind]
}

function factsOf(
  outcome: Outcome,
  isCoarse: boolean,
): Pick<AttemptMove, 'connectorReference' | 'declineReason'> {
  if (outcome.kind === 'no_answer') return {}
  if (outcome.kind === 'declined') {
    return { declineReason: isCoarse ? coarse(outcome.reason) : outcome.reason }
  }
  return { connectorReference: outcome.connectorReference }
}

/** What the customer did is known to the customer; what the bank thinks of the card is not. */
function coarse(reason: DeclineReason): DeclineReason {
  return reason === 'challenge_refused' || reason === 'challenge_abandoned' ? reason : 'declined'
}

function warnOfContradiction(log: Logger, { key, outcome }: Arrived, state: AttemptState): void {
  const after = outcome.kind === 'charged' && (state === 'declined' || state === 'abandoned')
  if (!after && !(outcome.kind === 'declined' && state === 'succeeded')) return
  log.error(
    { ...key, state, outcome: outcome.kind },
    'A network contradicts what it said before; a person must look',
  )
}
