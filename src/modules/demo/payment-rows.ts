import { feeOf, formatAmount } from '../../platform/money/money.ts'
import { sumTaken } from '../../core/payments/disputed/loss.ts'
import {
  announcedOn,
  isLate,
  nextAttemptState,
  nextPaymentState,
  type AttemptEvent,
  type PaymentEvent,
} from '../../core/payments/state-machine.ts'
import type { PaymentRow } from '../../core/payments/find-payment.ts'
import { shopHost } from './goods.ts'
import type { DemoRows, Row } from './rows.ts'
import { payWithinMs, type DemoAttempt, type DemoPayment, type DemoRefund } from './story.ts'

// The rows of one payment, its attempts and its history. States come from the state machine, so nothing can be told that
// could not have happened.

export type Shop = {
  readonly merchantId: number
  readonly baseUrl: string
  readonly projects: ReadonlyMap<string, string>
  readonly fee: { readonly basisPoints: number; readonly fixedMinor: bigint }
}

/** A payment at a moment of its life, for what was sent about it then. */
export type Snapshot = {
  readonly event: string
  readonly at: Date
  readonly row: PaymentRow
  /** What a refund's own notification is about. */
  readonly refund?: DemoRefund
}

export const callbackUrl = `https://${shopHost}/hooks/florin`

/** As the database writes it. */
export function stamp(at: Date): string {
  return at.toISOString().replace('Z', '000Z')
}

/** Writes everything about a payment; returns what merchants are told of it, in order. */
export function writePayment(rows: DemoRows, shop: Shop, payment: DemoPayment): Snapshot[] {
  const history = new History(rows, shop.merchantId, payment)
  payment.attempts.forEach((attempt, index) => writeAttempt(rows, history, payment, attempt, index + 1))
  let row = firstRow(shop, payment)
  const told: Snapshot[] = []
  const move = (event: PaymentEvent, at: Date, changes: Partial<PaymentRow> = {}): void => {
    const state = nextPaymentState(row.state, event)
    if (!state) throw new Error(`${event} can't happen to a payment that is ${row.state}`)
    history.add(event, row.state, state, at)
    row = { ...row, state, late: row.late || isLate(row.state, event), updated_at: stamp(at), ...changes }
  }
  const tell = (event: string, at: Date, refund?: DemoRefund): void =>
    void told.push({ event, at, row, ...(refund && { refund }) })
  const tellState = (at: Date): void => {
    if (row.state !== 'pending') tell(announcedOn[row.state], at)
  }
  if (payment.end) {
    const { event, at } = payment.end
    move(event, at, endOf(payment, at))
    tellState(at)
  }
  for (const refund of payment.refunds) {
    const refundedMinor = row.refunded_minor + refund.amountMinor
    const counted = { refunded_minor: refundedMinor, refunds: row.refunds + 1 }
    row = { ...row, ...counted, updated_at: stamp(refund.at) }
    tell('refund.success', refund.at, refund)
    if (refundedMinor < row.amount_minor) continue
    move('refunded_in_full', refund.at, counted)
    tellState(refund.at)
  }
  if (payment.dispute) {
    const { openedAt, decided } = payment.dispute
    move('reversed_by_bank', openedAt, { dispute: disputeText(payment, row.currency, 'open') })
    tellState(openedAt)
    tell('dispute.opened', openedAt)
    if (decided) {
      const dispute = disputeText(payment, row.currency, decided.as)
      if (decided.as === 'won') move('given_back_by_bank', decided.at, { dispute })
      else row = { ...row, dispute, updated_at: stamp(decided.at) }
      tell(`dispute.${decided.as}`, decided.at)
    }
  }
  rows.add('payments', asStored(row))
  return told
}

function firstRow(shop: Shop, payment: DemoPayment): PaymentRow {
  const { customer, link, good, type } = payment
  const isApi = type === 'API'
  const created = stamp(payment.createdAt)
  return {
    merchant_id: shop.merchantId,
    number: payment.number,
    mode: 'test',
    tx_ref: payment.txRef,
    reference: payment.reference,
    type,
    state: 'pending',
    late: false,
    currency: payment.currency,
    amount_minor: payment.amountMinor,
    charge_minor: feeOf(payment.amountMinor, shop.fee),
    refunded_minor: 0n,
    refunds: 0,
    email: customer.email,
    first_name: customer.firstName,
    last_name: customer.lastName,
    callback_url: isApi ? callbackUrl : null,
    return_url: isApi ? `https://${shopHost}/thank-you` : null,
    title: link?.title ?? good.title,
    description: link?.description ?? null,
    logo: null,
    meta: isApi ? JSON.stringify({ basket: payment.txRef.slice(3) }) : null,
    project_id: link ? null : (shop.projects.get(good.project ?? '') ?? null),
    items: null,
    invoice_number: null,
    language: payment.attempts.length > 0 ? customer.language : null,
    dispute: null,
    created_at: created,
    updated_at: created,
    expires_at: stamp(new Date(payment.createdAt.getTime() + payWithinMs)),
    paid_at: null,
    paid_with: null,
    failure_reason: null,
    saving: null,
    dialect: null,
  }
}

function endOf({ attempts, end }: DemoPayment, at: Date): Partial<PaymentRow> {
  const last = attempts.at(-1)
  if (end?.event === 'paid' && last) return { paid_at: stamp(at), paid_with: JSON.stringify(methodOf(last)) }
  if (end?.event === 'attempts_used_up') return { failure_reason: last?.declined ?? null }
  return {}
}

export function methodOf({ card }: DemoAttempt): object {
  return card
    ? { kind: 'card', network: 'test-network', brand: card.brand, last4: card.last4 }
    : { kind: 'bank', network: 'test-bank', brand: null, last4: null }
}

function disputeText(payment: DemoPayment, currency: string, as: 'open' | 'won' | 'lost'): string {
  const { dispute, amountMinor } = payment
  if (!dispute) throw new Error('This payment has no dispute')
  const takes = as !== 'won'
  const taken = { amount_minor: amountMinor, currency, money_taken: takes }
  return JSON.stringify({
    id: dispute.id,
    state: as === 'open' ? 'evidence_due' : as,
    reason: dispute.reason,
    amount: formatAmount(amountMinor, currency),
    amount_minor: Number(amountMinor),
    currency,
    evidence_due_at: stamp(dispute.dueAt),
    money_taken: takes,
    opened_at: stamp(dispute.openedAt),
    updated_at: stamp(as === 'open' ? dispute.openedAt : (dispute.decided?.at ?? dispute.openedAt)),
    taken_minor: Number(sumTaken([taken], currency)),
  })
}

function asStored(row: PaymentRow): Row {
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...row, meta: json(row.meta), dispute: json(row.dispute), paid_with: json(row.paid_with) }
}

class History {
  readonly #rows: DemoRows
  readonly #of: { readonly merchant_id: number; readonly number: string }
  #last = 0

  constructor(rows: DemoRows, merchantId: number, { number }: DemoPayment) {
    this.#rows = rows
    this.#of = { merchant_id: merchantId, number }
  }

  add(event: string, from: string, to: string, at: Date, attempt: number | null = null): void {
    this.#last += 1
    const moved = { event, from_state: from, to_state: to, attempt, at: stamp(at) }
    this.#rows.add('payment_history', { ...this.#of, id: this.#last, ...moved })
  }
}

function writeAttempt(
  rows: DemoRows,
  history: History,
  payment: DemoPayment,
  attempt: DemoAttempt,
  place: number,
): void {
  const { card, declined } = attempt
  const moves: readonly AttemptEvent[] = [
    ...(card ? [] : (['needs_action'] as const)),
    declined ? 'refused' : 'charged',
  ]
  let state: Parameters<typeof nextAttemptState>[0] = 'started'
  for (const event of moves) {
    const to = nextAttemptState(state, event)
    if (!to) throw new Error(`${event} can't happen to an attempt that is ${state}`)
    history.add(event, state, to, event === 'needs_action' ? attempt.at : attempt.endedAt, place)
    state = to
  }
  const reference = referenceOf(rows.merchantId, attempt)
  const isHosted = card === null
  rows.add('attempts', {
    number: payment.number,
    attempt: place,
    state,
    connector: isHosted ? 'test-bank' : 'test-network',
    idempotency_key: attempt.key,
    connector_reference: declined ? null : reference,
    decline_reason: declined ?? null,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
    started_at: stamp(attempt.at),
    updated_at: stamp(attempt.endedAt),
    account_id: isHosted ? 'acc_test-bank' : null,
    method: isHosted ? 'bank' : null,
    charge_reference: isHosted ? reference : null,
    charged_minor: isHosted ? payment.amountMinor : null,
    charged_currency: isHosted ? payment.currency : null,
  })
}

/** What the network calls a charge. */
export function referenceOf(merchantId: number, { card, reference }: DemoAttempt): string {
  return card ? `tn_${reference}` : `tb_${merchantId}_${reference}`
}
