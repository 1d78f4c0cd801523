import type { Mode } from '../../core/merchants/mode.ts'
import type { NotificationEvent } from '../../core/notifications/events.ts'
import { payoutEventExample } from './api/webhooks.ts'
import { payoutIpnEvents, type PayoutEvent } from './state-machine.ts'

export const eventsOfPayouts: readonly NotificationEvent[] = payoutIpnEvents.map((name) => ({
  name,
  sample: (mode) => samplePayout(mode, name),
}))

function samplePayout(mode: Mode, event: PayoutEvent): string {
  const { event: _, ...payout } = payoutEventExample(event)
  const at = new Date().toISOString().replace('Z', '000Z')
  return JSON.stringify({ ...payout, id: 'po_0000000000000000', mode, created_at: at, updated_at: at })
}
