import { stamp, referenceOf } from './payment-rows.ts'
import type { DemoRows } from './rows.ts'
import { demoLinks } from './goods.ts'
import type { DemoPayment } from './story.ts'

// Refunds, disputes and links, and what the test networks have in their own records: they must agree to the penny.

export function writeRefunds(rows: DemoRows, payment: DemoPayment): void {
  const { refunds, number, amountMinor, currency } = payment
  const paying = payment.attempts.at(-1)
  if (refunds.length === 0 || !paying) return
  rows.add('refund_totals', {
    number,
    amount_minor: amountMinor,
    reserved_minor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0n),
  })
  let before = 0n
  refunds.forEach((refund, index) => {
    const at = stamp(refund.at)
    rows.add('refunds', {
      id: refund.id,
      number,
      place: index + 1,
      mode: 'test',
      refund_ref: refund.ref,
      tx_ref: payment.txRef,
      reference: payment.reference,
      currency,
      state: 'succeeded',
      amount_minor: refund.amountMinor,
      asked_all: refund.amountMinor === amountMinor,
      reason: refund.reason,
      returns_fee: false,
      refund_reference: refund.reference,
      refunded_before_minor: before,
      sent_at: at,
      created_at: at,
      updated_at: at,
    })
    before += refund.amountMinor
    const moved = { event: 'paid_back', from_state: 'requested', to_state: 'succeeded' }
    rows.add('refund_history', { refund_id: refund.id, place: 1, at, ...moved })
    const there = { idempotency_key: refund.id, reference: refund.reference, requested_at: at }
    const charge = referenceOf(rows.merchantId, paying)
    const amount = { amount_minor: refund.amountMinor }
    if (paying.card === null)
      rows.add('test_network.refunds', { ...there, ...amount, page_reference: charge })
    else
      rows.add('test_network.card_refunds', {
        ...there,
        ...amount,
        charge_reference: charge,
        outcome: 'succeeded',
        told_from: at,
      })
  })
}

export function writeCharges(rows: DemoRows, payment: DemoPayment): void {
  const { number, currency, amountMinor, dispute } = payment
  const money = { payment_number: number, amount_minor: amountMinor, currency }
  for (const attempt of payment.attempts) {
    const at = stamp(attempt.endedAt)
    const named = {
      idempotency_key: attempt.key,
      reference: referenceOf(rows.merchantId, attempt),
      told_from: at,
    }
    if (attempt.card === null)
      rows.add('test_network.pages', {
        ...money,
        ...named,
        state: 'paid',
        language: payment.customer.language,
        opened_at: stamp(attempt.at),
        expires_at: stamp(new Date(attempt.at.getTime() + 3_600_000)),
      })
    else
      rows.add('test_network.charges', {
        ...money,
        ...named,
        outcome: attempt.declined ? 'declined' : 'charged',
        reason: attempt.declined ?? null,
        card_last4: attempt.card.last4,
        received_at: at,
        disputed: attempt.declined || !dispute ? null : (dispute.decided?.as ?? 'open'),
      })
  }
}

export function writeDispute(rows: DemoRows, payment: DemoPayment): void {
  const { dispute, number, txRef, amountMinor, currency } = payment
  const paying = payment.attempts.at(-1)
  if (!dispute || !paying) return
  const { decided } = dispute
  const state = decided?.as ?? 'evidence_due'
  const shared = { reason: dispute.reason, evidence_due_at: stamp(dispute.dueAt) }
  const taken = { money_taken: decided?.as !== 'won' }
  rows.add('disputes', {
    id: dispute.id,
    mode: 'test',
    number,
    tx_ref: txRef,
    connector: 'test-network',
    account_id: 'acc_test-network',
    reference: `dp_${referenceOf(rows.merchantId, paying)}`,
    state,
    amount_minor: amountMinor,
    currency,
    asks: decided ? 2 : 1,
    answered: decided ? 2 : 1,
    opened_at: stamp(dispute.openedAt),
    updated_at: stamp(decided?.at ?? dispute.openedAt),
    ...shared,
    ...taken,
  })
  const history = { dispute_id: dispute.id, ...shared }
  const opened = { place: 1, at: stamp(dispute.openedAt), state: 'evidence_due', money_taken: true }
  rows.add('dispute_history', { ...history, ...opened })
  if (decided)
    rows.add('dispute_history', { ...history, ...taken, place: 2, at: stamp(decided.at), state: decided.as })
}

export function writeLinks(rows: DemoRows, payments: readonly DemoPayment[], openedAt: Date): void {
  for (const link of demoLinks) {
    const started = payments.filter((payment) => payment.link === link)
    const isPaid = ({ end }: DemoPayment): boolean => end?.event === 'paid'
    const paid = started.filter(isPaid)
    rows.add('links', {
      id: link.id,
      mode: 'test',
      kind: 'reusable',
      asks_customer: true,
      title: link.title,
      description: link.description,
      currency: link.currency,
      amount_minor: link.price,
      stock: link.stock,
      taken: started.filter((payment) => isPaid(payment) || !payment.end).length,
      paid: paid.length,
      paid_minor: paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      created_at: stamp(openedAt),
    })
    for (const payment of started)
      rows.add('link_payments', {
        link_id: link.id,
        tx_ref: payment.txRef,
        state: payment.end ? (isPaid(payment) ? 'paid' : 'over') : 'open',
        created_at: stamp(payment.createdAt),
        look_at: stamp(payment.createdAt),
      })
  }
}
