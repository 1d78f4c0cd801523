import type { Mode } from '../merchants/mode.ts'
import {
  methodIpnEvents,
  payoutIpnEvents,
  type IpnEvent,
  type MethodIpnEvent,
  type PayoutIpnEvent,
} from '../notifications/events.ts'
import { sampleMovement } from '../refunds/sample-event.ts'
import { sampleMethodEvent } from '../saved-methods/api/webhooks.ts'
import { payoutEventExample } from './api/webhooks.ts'

/** The payload of a test call: a made-up payment, saved method, refund or payout. */
export function sampleEvent(mode: Mode, event: IpnEvent): string {
  if (isMethodEvent(event)) return sampleMethodEvent(mode, event)
  return isPayoutEvent(event) ? samplePayout(mode, event) : sampleMovement(mode, event)
}

function isMethodEvent(event: IpnEvent): event is MethodIpnEvent {
  return methodIpnEvents.some((name) => name === event)
}

function isPayoutEvent(event: IpnEvent): event is PayoutIpnEvent {
  return payoutIpnEvents.some((name) => name === event)
}

function samplePayout(mode: Mode, event: PayoutIpnEvent): string {
  const { event: _, ...payout } = payoutEventExample(event)
  const at = new Date().toISOString().replace('Z', '000Z')
  return JSON.stringify({ ...payout, id: 'po_0000000000000000', mode, created_at: at, updated_at: at })
}
