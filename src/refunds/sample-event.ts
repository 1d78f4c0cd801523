import type { Mode } from '../merchants/mode.ts'
import { refundIpnEvents, type IpnEvent, type RefundIpnEvent } from '../notifications/events.ts'
import { sampleTransaction } from '../payments/sample-transaction.ts'
import { sampleRefund } from './sample-refund.ts'

/** What a test call tells: of a payment or of a refund that never was. */
export function sampleEvent(mode: Mode, event: IpnEvent): string {
  return isRefundEvent(event) ? sampleRefund(mode, event) : sampleTransaction(mode, event)
}

function isRefundEvent(event: IpnEvent): event is RefundIpnEvent {
  return refundIpnEvents.some((name) => name === event)
}
