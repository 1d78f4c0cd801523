import type { Mode } from '../merchants/mode.ts'
import { payoutIpnEvents, type IpnEvent, type PayoutIpnEvent } from '../notifications/events.ts'
import { sampleMovement } from '../refunds/sample-event.ts'
import { payoutEventExample } from './api/webhooks.ts'

/** The payload of a test call: a made-up payment, refund or payout. */
export function sampleEvent(mode: Mode, event: IpnEvent): string {
  return isPayoutEvent(event) ? samplePayout(mode, event) : sampleMovement(mode, event)
}

function isPayoutEvent(event: IpnEvent): event is PayoutIpnEvent {
  return payoutIpnEvents.some((name) => name === event)
}

function samplePayout(mode: Mode, event: PayoutIpnEvent): string {
  const { event: _, ...payout } = payoutEventExample(event)
  const at = new Date().toISOString().replace('Z', '000Z')
  return JSON.stringify({ ...payout, id: 'po_0000000000000000', mode, created_at: at, updated_at: at })
}
