import type { JsonSchema, Webhook } from '../../http/openapi/openapi.ts'
import { refundIpnEvents, type RefundIpnEvent } from '../../notifications/events.ts'
import { webhookHeaders } from '../../payments/api/webhooks.ts'
import { refundExample, refundSchema } from './schemas.ts'

// What a merchant's own server is sent about refunds, described for /openapi.json and the reference.

const words: Readonly<Record<RefundIpnEvent, { readonly summary: string; readonly description: string }>> = {
  'refund.success': {
    summary: 'Money went back to a customer',
    description: 'All or part of a payment: see amount. When nothing is left, payment.refunded follows.',
  },
  'refund.failed': {
    summary: 'A refund did not go through',
    description:
      'failure says why. The money is still yours, also when refund.success came before: some banks send it back days later. Pay the customer another way, or try again with a new refund_ref.',
  },
}

const { history: _history, ...told } = refundSchema['properties'] as Record<string, JsonSchema>

export const refundEventSchema: JsonSchema = {
  ...refundSchema,
  title: 'RefundEvent',
  required: ['event', ...(refundSchema['required'] as string[])],
  properties: {
    event: { type: 'string', enum: [...refundIpnEvents], description: 'What happened.' },
    ...told,
  },
}

export function refundEventExample(event: RefundIpnEvent): object {
  const status = event.slice('refund.'.length)
  return { event, ...refundExample, status, ...(status === 'failed' && { failure: 'card_closed' }) }
}

export const refundWebhooks: readonly Webhook[] = refundIpnEvents.map((event) => ({
  event,
  ...words[event],
  headers: webhookHeaders,
  schema: refundEventSchema,
  example: refundEventExample(event),
}))
