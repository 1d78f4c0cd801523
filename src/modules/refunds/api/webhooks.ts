import type { JsonSchema, Webhook } from '../../../platform/http/openapi/openapi.ts'
import { refundIpnEvents, type RefundIpnEvent } from '../state-machine.ts'
import { webhookHeaders } from '../../../core/payments/api/webhooks.ts'
import { refundExample, refundSchema } from './schemas.ts'

// What a merchant's own server receives about refunds, described for /openapi.json and the reference.

const words: Readonly<Record<RefundIpnEvent, { readonly summary: string; readonly description: string }>> = {
  'refund.success': {
    summary: 'A refund succeeded',
    description: 'All or part of a payment: see amount. payment.refunded follows when nothing is left.',
  },
  'refund.failed': {
    summary: 'A refund failed',
    description:
      'failure says why. You still have the money, even if refund.success was sent before: some banks return a refund days later. Pay the customer another way, or retry with a new refund_ref.',
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
