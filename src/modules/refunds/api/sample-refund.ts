import { randomBytes } from 'node:crypto'
import type { Mode } from '../../../core/merchants/mode.ts'
import type { NotificationEvent } from '../../../core/notifications/events.ts'
import { refundJson } from '../present.ts'
import { refundIpnEvents, type RefundIpnEvent } from '../state-machine.ts'

export const eventsOfRefunds: readonly NotificationEvent[] = refundIpnEvents.map((name) => ({
  name,
  sample: (mode) => sampleRefund(mode, name),
}))

/** A made-up refund, for a notification sent to test a receiver. */
export function sampleRefund(mode: Mode, event: RefundIpnEvent): string {
  const state = event === 'refund.failed' ? 'failed' : 'succeeded'
  const at = new Date().toISOString().replace('Z', '000Z')
  const order = randomBytes(6).toString('hex')
  return refundJson({
    merchant_id: 10_000_000,
    id: 'rfd_0000000000000000',
    number: '0'.repeat(24),
    place: 1,
    mode,
    refund_ref: `sample-refund-${order}`,
    tx_ref: `sample-${order}`,
    reference: 'SAMPLE',
    currency: 'GBP',
    state,
    amount_minor: 1_000n,
    asked_all: true,
    reason: null,
    returns_fee: false,
    fee_returned_minor: 0n,
    failure: state === 'failed' ? 'card_closed' : null,
    refund_reference: null,
    refunded_before_minor: 0n,
    sent_at: at,
    checks: 0,
    next_check_at: null,
    created_at: at,
    updated_at: at,
  })
}
