import { randomBytes } from 'node:crypto'
import type { Mode } from '../merchants/mode.ts'
import { paymentIpnEvents, type NotificationEvent, type PaymentIpnEvent } from '../notifications/events.ts'
import type { StoredDispute } from './disputed/dispute-view.ts'
import { transactionJson } from './present.ts'
import type { PaymentState } from './state-machine.ts'
import type { PaymentRow, ShownMethod } from './store.ts'

export const eventsOfPayments: readonly NotificationEvent[] = paymentIpnEvents.map((name) => ({
  name,
  sample: (mode) => sampleTransaction(mode, name),
  isTriggered: name !== 'payment.expired',
}))

/** A made-up transaction, for a notification sent to test a receiver. */
export function sampleTransaction(mode: Mode, event: PaymentIpnEvent): string {
  const state = stateAfter(event)
  const at = new Date().toISOString().replace('Z', '000Z')
  const payment: PaymentRow = {
    merchant_id: 10_000_000,
    number: '0'.repeat(24),
    mode,
    tx_ref: `sample-${randomBytes(6).toString('hex')}`,
    reference: 'SAMPLE',
    type: 'API',
    state,
    late: false,
    currency: 'GBP',
    amount_minor: 1_000n,
    charge_minor: 34n,
    refunded_minor: state === 'refunded' ? 1_000n : 0n,
    refunds: state === 'refunded' ? 1 : 0,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: null,
    return_url: null,
    title: null,
    description: null,
    logo: null,
    meta: null,
    project_id: null,
    items: null,
    invoice_number: null,
    language: null,
    dispute: event.startsWith('dispute.') ? JSON.stringify(sampleDispute(event, at)) : null,
    created_at: at,
    updated_at: at,
    expires_at: at,
    ...outcomeOf(state, at),
    saving: null,
    dialect: null,
  }
  // Only a pending payment shows its link, and no event is about one.
  return transactionJson(payment, '')
}

/** For a payment in this state. */
function outcomeOf(
  state: PaymentState,
  at: string,
): Pick<PaymentRow, 'paid_at' | 'paid_with' | 'failure_reason'> {
  const isPaid = state === 'success' || state === 'refunded' || state === 'reversed'
  const method: ShownMethod = { kind: 'card', network: 'test-network', brand: 'Visa', last4: '4242' }
  return {
    paid_at: isPaid ? at : null,
    paid_with: isPaid ? JSON.stringify(method) : null,
    failure_reason: state === 'failed' ? 'insufficient_funds' : null,
  }
}

function stateAfter(event: PaymentIpnEvent): PaymentState {
  if (!event.startsWith('dispute.')) return event.slice('payment.'.length) as PaymentState
  return event === 'dispute.won' ? 'success' : 'reversed'
}

function sampleDispute(event: PaymentIpnEvent, at: string): StoredDispute {
  const ends = { 'dispute.won': 'won', 'dispute.lost': 'lost' } as const
  const state = event === 'dispute.won' || event === 'dispute.lost' ? ends[event] : 'evidence_due'
  return {
    id: 'dsp_sample',
    state,
    reason: 'fraudulent',
    amount: '10.00',
    amount_minor: 1_000,
    currency: 'GBP',
    evidence_due_at: state === 'evidence_due' ? at : null,
    money_taken: state !== 'won',
    opened_at: at,
    updated_at: at,
  }
}
