import type { Mode } from '../merchants/mode.ts'
import { refundIpnEvents, type PaymentIpnEvent, type RefundIpnEvent } from '../notifications/events.ts'
import { sampleTransaction } from '../payments/sample-transaction.ts'
import { sampleRefund } from './sample-refund.ts'

/** For a made-up payment or refund. */
export function sampleMovement(mode: Mode, event: PaymentIpnEvent | RefundIpnEvent): string {
  return isRefundEvent(event) ? sampleRefund(mode, event) : sampleTransaction(mode, event)
}

function isRefundEvent(event: PaymentIpnEvent | RefundIpnEvent): event is RefundIpnEvent {
  return refundIpnEvents.some((name) => name === event)
}
