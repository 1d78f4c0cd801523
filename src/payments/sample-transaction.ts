import { randomBytes } from 'node:crypto'
import type { Mode } from '../merchants/mode.ts'
import type { IpnEvent } from '../notifications/events.ts'
import { transactionJson } from './present.ts'
import type { PaymentState } from './state-machine.ts'
import type { PaymentRow } from './store.ts'

/** A transaction that nobody paid, for a notification that is sent to try a receiver. */
export function sampleTransaction(mode: Mode, event: IpnEvent): string {
  const state = event.slice('payment.'.length) as PaymentState
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
    created_at: at,
    updated_at: at,
    expires_at: at,
  }
  // Only a pending payment shows its link, and no event tells of one.
  return transactionJson(payment, '')
}
