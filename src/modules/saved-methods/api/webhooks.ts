import type { JsonSchema, Webhook } from '../../../platform/http/openapi/openapi.ts'
import type { Mode } from '../../../core/merchants/mode.ts'
import type { NotificationEvent } from '../../../core/notifications/events.ts'
import { describeReason } from '../../../core/payments/attempts/describe-reason.ts'
import { transactionExample, transactionSchema } from '../../../core/payments/api/schemas.ts'
import { webhookHeaders } from '../../../core/payments/api/webhooks.ts'
import { chargeExample, savedMethodExample, savedMethodSchema } from './schemas.ts'

// What a merchant's own server receives about saved methods, described for /openapi.json and the reference.

export const methodIpnEvents = ['method.saved', 'method.ended', 'payment.needs_customer'] as const
type MethodIpnEvent = (typeof methodIpnEvents)[number]

const words: Readonly<Record<MethodIpnEvent, { readonly summary: string; readonly description: string }>> = {
  'method.saved': {
    summary: 'A payment method was saved',
    description:
      'Sent with payment.success of the payment that saved it. Keep id: you charge the method by it.',
  },
  'method.ended': {
    summary: 'A saved method ended',
    description:
      'ended_by says who ended it. It can never be charged again: ask the customer for another before the next charge is due.',
  },
  'payment.needs_customer': {
    summary: "The customer's bank wants to ask them",
    description:
      'A charge of a saved method took no money. Send the customer to checkout_url; status stays pending until they have paid there or it expires.',
  },
}

function eventSchema(title: string, schema: JsonSchema, events: readonly MethodIpnEvent[]): JsonSchema {
  return {
    ...schema,
    title,
    required: ['event', ...(schema['required'] as string[])],
    properties: {
      event: { type: 'string', enum: [...events], description: 'What happened.' },
      ...(schema['properties'] as Record<string, JsonSchema>),
    },
  }
}

const methodEventSchema = eventSchema('SavedMethodEvent', savedMethodSchema, ['method.saved', 'method.ended'])
const needsCustomerSchema = eventSchema('NeedsCustomerEvent', transactionSchema, ['payment.needs_customer'])

export function methodEventExample(event: MethodIpnEvent): object {
  if (event === 'method.saved') return { event, ...savedMethodExample, tx_ref: 'order-1001' }
  if (event === 'method.ended')
    return {
      event,
      ...savedMethodExample,
      usable: false,
      ended_at: '2026-11-17T09:00:00.123456Z',
      ended_by: 'customer',
    }
  const { paid_at: _paid, method: _method, ...charge } = chargeExample
  return {
    event,
    ...charge,
    status: 'pending',
    checkout_url: transactionExample.checkout_url,
    failure: { code: 'needs_customer', message: describeReason('needs_customer'), may_retry: false },
  }
}

export const savedMethodWebhooks: readonly Webhook[] = methodIpnEvents.map((event) => ({
  event,
  ...words[event],
  headers: webhookHeaders,
  schema: event === 'payment.needs_customer' ? needsCustomerSchema : methodEventSchema,
  example: methodEventExample(event),
}))

export const eventsOfMethods: readonly NotificationEvent[] = methodIpnEvents.map((name) => ({
  name,
  sample: (mode) => sampleMethodEvent(mode, name),
  isTriggered: false,
}))

function sampleMethodEvent(mode: Mode, event: MethodIpnEvent): string {
  const { event: _, ...data } = methodEventExample(event) as { event: string }
  return JSON.stringify({ ...data, mode, id: 'svm_0000000000000000' })
}
