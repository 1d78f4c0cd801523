import type { JsonSchema, Webhook } from '../../../platform/http/openapi/openapi.ts'
import { payoutIpnEvents, type PayoutEvent } from '../state-machine.ts'
import { webhookHeaders } from '../../../core/payments/api/webhooks.ts'
import { payoutExample, payoutProperties } from './schemas.ts'

// What a merchant's endpoints receive about payouts, described for /openapi.json and the reference.

const words: Readonly<Record<PayoutEvent, { readonly summary: string; readonly description: string }>> = {
  'payout.arrived': {
    summary: 'A payout arrived',
    description: 'Only to endpoints. Its lines may follow later: see lines.',
  },
  'payout.failed': {
    summary: 'A payout failed',
    description:
      'Only to endpoints. status is failed, or returned if your bank sent it back after payout.arrived. The network has the money.',
  },
}

export const payoutEventSchema: JsonSchema = {
  title: 'PayoutEvent',
  type: 'object',
  additionalProperties: false,
  required: ['event', ...Object.keys(payoutProperties)],
  properties: {
    event: { type: 'string', enum: [...payoutIpnEvents], description: 'What happened.' },
    ...payoutProperties,
  },
}

export function payoutEventExample(event: PayoutEvent) {
  const hasFailed = event === 'payout.failed'
  const status = hasFailed ? 'failed' : 'arrived'
  return { event, ...payoutExample, status, failure: hasFailed ? 'account_closed' : null }
}

export const payoutWebhooks: readonly Webhook[] = payoutIpnEvents.map((event) => ({
  event,
  ...words[event],
  headers: webhookHeaders,
  schema: payoutEventSchema,
  example: payoutEventExample(event),
}))
