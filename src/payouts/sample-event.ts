import type { Mode } from '../merchants/mode.ts'
import {
  methodIpnEvents,
  payoutIpnEvents,
  refundIpnEvents,
  type IpnEvent,
  type MethodIpnEvent,
  type PaymentIpnEvent,
  type PayoutIpnEvent,
  type RefundIpnEvent,
} from '../notifications/events.ts'
import { sampleTransaction } from '../payments/sample-transaction.ts'
import { sampleRefund } from '../refunds/sample-refund.ts'
import { sampleMethodEvent } from '../saved-methods/api/webhooks.ts'
import { payoutEventExample } from './api/webhooks.ts'

/** The payload of a test call: a made-up payment, saved method, refund or payout. */
export function sampleEvent(mode: Mode, event: IpnEvent): string {
  if (isMethodEvent(event)) return sampleMethodEvent(mode, event)
  if (isPayoutEvent(event)) return samplePayout(mode, event)
  return isRefundEvent(event) ? sampleRefund(mode, event) : sampleTransaction(mode, event)
}

function isMethodEvent(event: IpnEvent): event is MethodIpnEvent {
  return methodIpnEvents.some((name) => name === event)
}

function isPayoutEvent(event: IpnEvent): event is PayoutIpnEvent {
  return payoutIpnEvents.some((name) => name === event)
}

function isRefundEvent(event: PaymentIpnEvent | RefundIpnEvent): event is RefundIpnEvent {
  return refundIpnEvents.some((name) => name === event)
}

function samplePayout(mode: Mode, event: PayoutIpnEvent): string {
  const { event: _, ...payout } = payoutEventExample(event)
  const at = new Date().toISOString().replace('Z', '000Z')
  return JSON.stringify({ ...payout, id: 'po_0000000000000000', mode, created_at: at, updated_at: at })
}
