import { makeMerchantBatch } from '../../platform/database/batch.ts'
import { sqlState, type Database } from '../../platform/database/database.ts'
import { randomHex } from '../../platform/database/random-id.ts'
import type {
  CardDetails,
  DeclineReason,
  FormConnector,
  Money,
  OrderKey,
  Outcome,
  SavedOrder,
} from '../networks/connector.ts'
import { codeLength, findByEnding, findTestCard, type TestCard, type TestOutcome } from './cards.ts'
import { disputeReplies } from './dispute-replies.ts'
import { nextNews } from './dispute-look-store.ts'
import { newsOfDisputes, opensAt, reportDispute } from './disputes.ts'
import { payOut, payoutsTo } from './payouts.ts'
import { fetchRefund, refund } from './refunds.ts'
import { describeSaved, laterReason, saveCard } from './saved-cards.ts'
import { findSavedCard, forgetCard, type SavedCard } from './saved-card-store.ts'
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
    return answerOf(order.merchantId, await findCharge(db, order))
  }

  async function answerOf(merchantId: number, charge: ToldCharge | undefined): Promise<Outcome> {
    if (!charge || isUndecided(charge, now())) return { kind: 'no_answer' }
    return withSaved(db, merchantId, charge)
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
      const savedToken = order.save ? await saveCard(db, order, known) : null
      const entry = { ...entryOf(order, known, at), ...decide(known, order.card, at), savedToken }
      return answerOf(order.merchantId, await book(order.merchantId, entry))
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
      return isUndecided(charge, now()) ? { kind: 'pending' } : withSaved(db, order.merchantId, charge)
    },
    async withdraw(order, signal) {
      signal.throwIfAborted()
      await endOrShutOut(db, order, {
        reference: makeReference(),
        ended: 'challenge_abandoned',
        shutOut: 'network_silent',
        at: now(),
      })
      return findOutcome(order)
    },
    ...chargingAgain(db, now, async (order, entry) =>
      answerOf(order.merchantId, await book(order.merchantId, entry)),
    ),
    ...givingBack(db, now),
    payoutsTo: (merchantId) => payoutsTo(db, merchantId, now),
    payOutNow: async (merchantId) =>
      payOut(db, merchantId, { before: new Date(now().getTime() + 1), now: now() }),
  }
}

type ChargingAgain = Required<Pick<FormConnector, 'chargeSaved' | 'forget'>>

/** Cards that were saved. */
function chargingAgain(
  db: Database,
  now: () => Date,
  book: (order: OrderKey, entry: NewCharge) => Promise<Outcome>,
): ChargingAgain {
  return {
    async chargeSaved(order, signal) {
      signal.throwIfAborted()
      const at = now()
      const saved = await findSavedCard(db, order)
      const known = saved && findByEnding(saved.card_last4)
      if (!known) throw new Error('The test network knows no such card')
      return book(order, {
        ...entryOf(order, known, at),
        ...decideLater(known, saved, order, at),
        savedToken: null,
      })
    },
    async forget(method, signal) {
      signal.throwIfAborted()
      await forgetCard(db, method, now())
    },
  }
}

type GivingBack = Required<
  Pick<
    FormConnector,
    'newsOfDisputes' | 'nextNewsOfDisputes' | 'fetchDispute' | 'disputeReplies' | 'refund' | 'fetchRefund'
  >
>

function givingBack(db: Database, now: () => Date): GivingBack {
  return {
    nextNewsOfDisputes: nextNews,
    newsOfDisputes: async (max) => newsOfDisputes(db, now(), max),
    async fetchDispute(news, signal) {
      signal.throwIfAborted()
      return reportDispute(db, news, now())
    },
    disputeReplies: (merchantId) => disputeReplies(db, merchantId, now),
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
  const reason = findMistake(known, card, at)
  if (reason) return { outcome: 'declined', reason, toldFrom: at, disputed: null, nextTellAt: null }
  return decideOutcome(known, at)
}

function decideOutcome({ outcome }: TestCard, at: Date): Decision {
  const plain = { reason: null, toldFrom: at, disputed: null, nextTellAt: null }
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

/** Without the customer neither a code nor 3-D Secure is asked for. A bank that wants one who is there asks by 3-D Secure. */
function decideLater(known: TestCard, saved: SavedCard, { isPresent }: SavedOrder, at: Date): Decision {
  const reason = laterReason(known, saved, at)
  if (isPresent && reason === 'needs_customer')
    return decideOutcome({ ...known, outcome: { kind: 'challenge' } }, at)
  if (reason === undefined) return decideOutcome({ ...known, outcome: laterOutcome(known, isPresent) }, at)
  return { outcome: 'declined', reason, toldFrom: at, disputed: null, nextTellAt: null }
}

function laterOutcome({ outcome }: TestCard, isPresent: boolean | undefined): TestOutcome {
  if (outcome.kind === 'challenge' && !isPresent) return { kind: 'charged' }
  const comesBack = outcome.kind === 'charged' && outcome.later === 'comes_back'
  return comesBack ? { kind: 'disputed', end: 'lost' } : outcome
}

function findMistake(known: TestCard, card: CardDetails, at: Date): DeclineReason | undefined {
  // A card is good until the last day of its month.
  const ends = Date.UTC(card.expiryYear, card.expiryMonth, 1)
  if (!(ends > at.getTime())) return 'expired_card'
  const isCode = /^[0-9]+$/.test(card.cvc) && card.cvc.length === codeLength(known)
  return isCode ? undefined : 'wrong_cvc'
}

function entryOf(order: OrderKey & Money, known: TestCard, at: Date) {
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

/** A charge says which card was saved with it. */
async function withSaved(
  db: Database,
  merchantId: number,
  charge: ToldCharge,
): Promise<Exclude<Outcome, { kind: 'no_answer' }>> {
  const outcome = outcomeOf(charge)
  if (outcome.kind !== 'charged' || charge.saved_token === null) return outcome
  const savedMethod = await describeSaved(db, merchantId, charge.saved_token)
  return { ...outcome, savedMethod }
}

function outcomeOf(charge: ToldCharge): Exclude<Outcome, { kind: 'no_answer' }> {
  if (charge.outcome === 'declined') return { kind: 'declined', reason: charge.reason ?? 'declined' }
  const kind = charge.outcome === 'charged' ? 'charged' : 'action_required'
  return { kind, connectorReference: charge.reference }
}

function makeReference(): string {
  return `tn_${randomHex(24)}`
}
