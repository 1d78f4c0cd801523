import type { DeclineReason } from '../../networks/connector.ts'
import { makeMerchantBatch } from '../../../platform/database/batch.ts'
import { inMerchantTransaction, type Transaction } from '../../../platform/database/database.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import type { Logger } from '../../../platform/http/log.ts'
import type { Core } from '../../../platform/jobs/core.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { CardTesting } from '../card-testing/card-testing.ts'
import { findAttacks } from '../card-testing/decline-store.ts'
import { noteDeclines, type Declined } from '../card-testing/note-declines.ts'
import {
  attemptName,
  countDeclined,
  hurryChecks,
  lockWithPayments,
  type AttemptKey,
  type LockedAttempts,
  type StandingAttempt,
} from './attempt-store.ts'
import { notifyOfSlowPayments, type TakesDays } from './hosted/notify-of-slow-payments.ts'
import { moveAttempts, type AttemptMove } from './move-attempt.ts'
import { eventOfOutcome, factsOfOutcome, type NetworkOutcome } from './network-word.ts'
import { endedUnpaid, type AttemptEvent } from '../state-machine.ts'
import { reportChargeProblem, type AttemptMetrics, type Trouble } from './report-charge-problem.ts'
import type { LockedPayment } from '../store.ts'
import { announceSaving, changeOfCharge, settleSaving } from '../saving/settle-saving.ts'
import type { SavedMethods } from '../saving/saved-methods.ts'
import { chargingAttempt, isCharge } from '../saving/saving.ts'
import type { Reworded } from '../slots/reworded.ts'
import { transitionAll, type Change, type TransitionDeps } from '../transition.ts'

// The single code path for outcomes. A network's direct answer, its answer after 3-D Secure, its callback and our
// look-ups all end here, in any order and number: attempt, payment, history and notifications change in one commit, and
// repeats change nothing. A merchant's outcomes that arrive together share that commit.

export const declinedMax = 10
/** Attempts that the customer walked away from are not declined, yet they too come to an end. */
export const attemptsMax = 100

export type OutcomeDeps = Core &
  TransitionDeps & {
    readonly metrics: AttemptMetrics
    /** Whether a network, by its name, takes days to move the money. */
    readonly takesDays?: TakesDays
    /** Without it declines aren't counted, and no customer has to wait. */
    readonly cardTesting?: CardTesting
    /** Without it no method is saved, and none is charged. */
    readonly savedMethods?: SavedMethods
    readonly reworded: Reworded | undefined
  }

/** Returns the attempt as it is afterwards. */
export type ApplyOutcome = (key: AttemptKey, outcome: NetworkOutcome) => Promise<StandingAttempt>

type Moved = { readonly attempt: StandingAttempt; readonly move: AttemptMove }

type Arrived = { readonly key: AttemptKey; readonly outcome: NetworkOutcome }

const batchSizeMax = 100
const batchesInFlight = 2

export function makeApplyOutcome(deps: OutcomeDeps): ApplyOutcome {
  const apply = makeMerchantBatch<Arrived, StandingAttempt>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, arrived, shared) =>
      shared
        ? applyAll(deps, shared, merchantId, arrived)
        : inMerchantTransaction(deps.db, async (tx) => applyAll(deps, tx, merchantId, arrived)),
    isDataError: (error) => !(error instanceof DatabaseUnavailable),
    groupOn: deps.db,
  })
  return async (key, outcome) => apply(key.merchantId, { key, outcome })
}

/** The rows locked by the transaction, updated as they move. */
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
  // One order of locks, and nothing is started, cancelled or expired in between.
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
  const moved = await moveAttempts(deps, tx, locked.merchantId, [...moves.values()])
  const results = new Map<Arrived, StandingAttempt>()
  const after: Moved[] = []
  for (const [one, move] of moves) {
    const { before } = move
    const name = attemptName(one.key)
    const attempt = moved.get(name)
    results.set(one, attempt ?? before)
    if (!attempt) {
      warnOfContradiction(deps.log, one, before)
      continue
    }
    locked.attempts.set(name, attempt)
    after.push({ attempt, move })
    rememberDecline(locked, name, attempt, one.outcome)
  }
  await movePayments(deps, tx, locked, after)
  return results
}

function moveOf(locked: LockedRows, { key, outcome }: Arrived, at: Date): AttemptMove {
  const before = locked.attempts.get(attemptName(key))
  if (!before) throw new Error('Got an outcome for an attempt that does not exist')
  const payment = paymentOf(locked, before)
  const isAttacked = locked.attacked.some((attacked) => attacked === payment.mode)
  // Who charges a saved method without its customer tests no cards, and must know whether it may be tried again.
  const isTyped = !(before.attempt === chargingAttempt && isCharge(payment))
  const shown = isAttacked && isTyped && outcome.kind === 'declined' ? coarse(outcome) : outcome
  return {
    before,
    mode: payment.mode,
    event: eventOfOutcome(outcome, before, payment),
    at,
    ...factsOfOutcome(shown, at),
  }
}

/** Customers know what they did; they must not learn what the bank thinks of the card. */
function coarse(declined: Extract<NetworkOutcome, { kind: 'declined' }>): NetworkOutcome {
  return knownToCustomer.includes(declined.reason) ? declined : { kind: 'declined', reason: 'declined' }
}

const knownToCustomer: readonly DeclineReason[] = [
  'challenge_refused',
  'challenge_abandoned',
  // Of saved methods only.
  'needs_customer',
  'method_ended',
  'network_silent',
]

/** Walking away from 3-D Secure counts like a decline: the stranger has learnt that the card is good. */
function rememberDecline(
  locked: LockedRows,
  name: string,
  attempt: StandingAttempt,
  outcome: NetworkOutcome,
): void {
  const trace = locked.traces.get(name)
  if (!trace || (attempt.state !== 'declined' && attempt.state !== 'abandoned')) return
  const { mode } = paymentOf(locked, attempt)
  locked.declined.push({ mode, trace, reason: outcome.kind === 'declined' ? outcome.reason : undefined })
}

function paymentOf(locked: LockedRows, { number }: StandingAttempt): LockedPayment {
  const payment = locked.payments.get(number)
  if (!payment) throw new Error('Got an outcome for a payment that does not exist')
  return payment
}

/** For an attempt that ended without the network's answer. */
const endReasons: Partial<Record<StandingAttempt['state'], DeclineReason>> = {
  abandoned: 'challenge_abandoned',
}

async function movePayments(
  deps: OutcomeDeps,
  tx: Transaction,
  locked: LockedRows,
  after: readonly Moved[],
): Promise<void> {
  const attempts = after.map(({ attempt }) => attempt)
  const ended = attempts.filter(({ state }) => endedUnpaid.includes(state))
  const declined =
    ended.length > 0 // No test: saves counting nothing
      ? await countDeclined(
          tx,
          locked.merchantId,
          ended.map(({ number }) => number),
        )
      : new Map<string, number>()
  const saved = await settleSaving(deps, tx, locked.payments, after)
  const changes = attempts.flatMap((attempt): Change[] => {
    const payment = paymentOf(locked, attempt)
    const refused = changeOfCharge(payment, attempt)
    if (refused) return [refused]
    if (attempt.state === 'succeeded') {
      const paidWith = locked.means.get(attemptName(attempt))
      return [{ payment, event: 'paid', ...(paidWith && { paidWith }) }]
    }
    const usedUp = attempt.attempt >= attemptsMax || (declined.get(attempt.number) ?? 0) >= declinedMax
    if (!ended.includes(attempt) || !usedUp) return []
    const failureReason = attempt.decline_reason ?? endReasons[attempt.state] ?? 'declined'
    return [{ payment, event: 'attempts_used_up', failureReason }]
  })
  const results = await transitionAll(deps, tx, locked.merchantId, changes)
  for (const [index, { moved, payment }] of results.entries()) {
    if (!moved && changes[index]?.event === 'paid')
      throw new Error(`Money came for a payment that is ${payment.state}`)
    locked.payments.set(payment.number, payment)
  }
  await announceSaving(deps, tx, locked.payments, saved)
  await reportTrouble(deps, tx, locked, after)
  await notifyOfSlowPayments(
    deps,
    tx,
    after.map(({ attempt, move }) => ({
      attempt,
      move,
      payment: paymentOf(locked, attempt),
      paidWith: locked.means.get(attemptName(attempt)),
    })),
  )
}

const troubles: Partial<Record<AttemptEvent, Trouble>> = {
  charged_late: 'late',
  charged_otherwise: 'held',
  charged_again: 'surplus',
  charged_after_end: 'after_end',
}

async function reportTrouble(
  deps: OutcomeDeps,
  tx: Transaction,
  locked: LockedRows,
  after: readonly Moved[],
): Promise<void> {
  for (const { attempt, move } of after) {
    const kind = troubles[move.event]
    if (kind === undefined) continue
    const payment = paymentOf(locked, attempt)
    await reportChargeProblem(deps, tx, kind, { payment, attempt: attempt.attempt, charged: move.charged })
    if (kind === 'late') await hurryChecks(tx, locked.merchantId, [attempt.number], move.at)
  }
}

function warnOfContradiction(log: Logger, { key, outcome }: Arrived, { state }: StandingAttempt): void {
  if (!(outcome.kind === 'declined' && state === 'succeeded')) return
  log.error(
    { ...key, state, outcome: outcome.kind },
    'A network contradicts its earlier answer; check it by hand',
  )
}
