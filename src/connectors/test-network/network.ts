import { makeMerchantBatch } from '../../database/batch.ts'
import { sqlState, type Database } from '../../database/database.ts'
import { randomHex } from '../../database/random-id.ts'
import type { CardDetails, DeclineReason, FormConnector, Order, OrderKey, Outcome } from '../connector.ts'
import { codeLength, findTestCard, type TestCard } from './cards.ts'
import { newsOfDisputes, opensAt, reportDispute } from './disputes.ts'
import { payOut, payoutsTo } from './payouts.ts'
import { fetchRefund, refund } from './refunds.ts'
import {
  decideChallenge,
  endOrShutOut,
  findCharge,
  insertCharges,
  type NewCharge,
  type ToldCharge,
} from './store.ts'

// A network like a live one, behind the same contract, that never leaves the machine. It takes the published test
// cards only and keeps its own books.

/** A card that times out gives no answer at once, so that a developer need not wait, and is decided this much later. */
export const undecidedMs = 3_000

const batchSizeMax = 100

export function makeTestNetwork(db: Database, now: () => Date): FormConnector {
  async function findOutcome(order: OrderKey): Promise<Outcome> {
    return answerOf(await findCharge(db, order))
  }

  function answerOf(charge: ToldCharge | undefined): Outcome {
    if (!charge || isUndecided(charge, now())) return { kind: 'no_answer' }
    return outcomeOf(charge)
  }

  const book = makeMerchantBatch<NewCharge, ToldCharge | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: 2,
    run: async (merchantId, charges, tx) => insertCharges(tx ?? db, merchantId, charges),
    isDataError: (error) => sqlState(error) !== undefined,
    groupOn: db,
  })

  return {
    kind: 'form',
    name: 'test-network',
    mode: 'test',
    readCard(card) {
      const known = findTestCard(card.number)
      return known && { brand: known.brand, last4: known.last4 }
    },
    async charge(order, signal) {
      const known = findTestCard(order.card.number)
      if (!known) throw new Error('The test network takes test cards only')
      signal.throwIfAborted()
      const at = now()
      return answerOf(
        await book(order.merchantId, { ...entryOf(order, known, at), ...decide(known, order.card, at) }),
      )
    },
    async continueAfterChallenge(order, answer, signal) {
      signal.throwIfAborted()
      const approved = answer === 'approve'
      await decideChallenge(db, order, {
        outcome: approved ? 'charged' : 'declined',
        reason: approved ? null : 'challenge_refused',
      })
      return findOutcome(order)
    },
    async fetchStatus(order, signal) {
      signal.throwIfAborted()
      const charge = await findCharge(db, order)
      if (!charge) return { kind: 'not_found' }
      return isUndecided(charge, now()) ? { kind: 'pending' } : outcomeOf(charge)
    },
    async withdraw(order, signal) {
      signal.throwIfAborted()
      await endOrShutOut(db, order, {
        reference: makeReference(),
        ended: 'challenge_abandoned',
        shutOut: 'processing_error',
        at: now(),
      })
      return findOutcome(order)
    },
    ...givingBack(db, now),
    payoutsTo: (merchantId) => payoutsTo(db, merchantId, now),
    payOutNow: async (merchantId) =>
      payOut(db, merchantId, { before: new Date(now().getTime() + 1), now: now() }),
  }
}

type GivingBack = Required<Pick<FormConnector, 'newsOfDisputes' | 'fetchDispute' | 'refund' | 'fetchRefund'>>

function givingBack(db: Database, now: () => Date): GivingBack {
  return {
    newsOfDisputes: async (max) => newsOfDisputes(db, now(), max),
    async fetchDispute(news, signal) {
      signal.throwIfAborted()
      return reportDispute(db, news, now())
    },
    async refund(order, signal) {
      signal.throwIfAborted()
      return refund(db, order, now())
    },
    async fetchRefund(order, signal) {
      signal.throwIfAborted()
      return fetchRefund(db, order, now())
    },
  }
}

type Decision = Pick<NewCharge, 'disputed' | 'nextTellAt'> & {
  readonly outcome: ToldCharge['outcome']
  readonly reason: DeclineReason | null
  readonly toldFrom: Date
}

function decide(known: TestCard, card: CardDetails, at: Date): Decision {
  const mistake = findMistake(known, card, at)
  const plain = { reason: null, toldFrom: at, disputed: null, nextTellAt: null }
  if (mistake) return { ...plain, outcome: 'declined', reason: mistake }
  const { outcome } = known
  if (outcome.kind === 'declined') return { ...plain, outcome: 'declined', reason: outcome.reason }
  if (outcome.kind === 'disputed')
    return { ...plain, outcome: 'charged', disputed: outcome.end, nextTellAt: opensAt(at) }
  if (outcome.kind !== 'time_out') return { ...plain, outcome: outcome.kind }
  return {
    ...plain,
    outcome: outcome.found,
    reason: outcome.found === 'declined' ? 'declined' : null,
    toldFrom: new Date(at.getTime() + undecidedMs),
  }
}

function findMistake(known: TestCard, card: CardDetails, at: Date): DeclineReason | undefined {
  // A card is good until the last day of its month.
  const ends = Date.UTC(card.expiryYear, card.expiryMonth, 1)
  if (!(ends > at.getTime())) return 'expired_card'
  const isCode = /^[0-9]+$/.test(card.cvc) && card.cvc.length === codeLength(known)
  return isCode ? undefined : 'wrong_cvc'
}

function entryOf(order: Order, known: TestCard, at: Date) {
  const { merchantId, paymentNumber, idempotencyKey, amountMinor, currency } = order
  return {
    merchantId,
    paymentNumber,
    idempotencyKey,
    amountMinor,
    currency,
    cardLast4: known.last4,
    reference: makeReference(),
    receivedAt: at,
  }
}

function isUndecided(charge: ToldCharge, at: Date): boolean {
  const leftMs = Date.parse(charge.told_from) - at.getTime()
  // More than the whole span is left when the order came while the clock ran ahead: it is decided then.
  return leftMs > 0 && leftMs <= undecidedMs
}

function outcomeOf(charge: ToldCharge): Exclude<Outcome, { kind: 'no_answer' }> {
  if (charge.outcome === 'declined') return { kind: 'declined', reason: charge.reason ?? 'declined' }
  const kind = charge.outcome === 'charged' ? 'charged' : 'action_required'
  return { kind, connectorReference: charge.reference }
}

function makeReference(): string {
  return `tn_${randomHex(24)}`
}
