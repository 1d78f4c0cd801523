import type { JsonSchema, Parameter, Webhook } from '../../../platform/http/openapi/openapi.ts'
import { paymentIpnEvents, type PaymentIpnEvent } from '../../notifications/events.ts'
import { describeReason } from '../attempts/describe-reason.ts'
import { disputeExample } from './dispute-schema.ts'
import { transactionExample, transactionSchema } from './schemas.ts'

// What a merchant's own server receives, described for /openapi.json and the reference.

type EventText = { readonly summary: string; readonly description: string }

export const eventWords: Readonly<Record<PaymentIpnEvent, EventText>> = {
  'payment.success': {
    summary: 'Payment succeeded',
    description:
      'Compare amount_minor and currency with your order, then deliver. It may follow cancelled or expired.',
  },
  'payment.failed': {
    summary: 'Ten cards were declined',
    description:
      'No money was taken and the link is closed. Create a new payment if the customer still wants to buy.',
  },
  'payment.cancelled': {
    summary: 'The customer or you cancelled',
    description: 'No money was taken. If money arrives all the same, payment.success follows.',
  },
  'payment.expired': {
    summary: 'Payment expired',
    description: 'No money was taken. If money arrives all the same, payment.success follows.',
  },
  'payment.refunded': {
    summary: 'Payment fully refunded',
    description: 'Sent after the refund.success of the last refund.',
  },
  'payment.reversed': {
    summary: 'The bank took the money back',
    description:
      'During a dispute, often when it opens. Hold any orders you haven’t shipped. If you win the dispute the money comes back and dispute.won is sent: there is no second payment.success.',
  },
  'dispute.opened': {
    summary: 'A dispute was opened',
    description:
      'Respond by dispute.evidence_due_at, in Florin’s dashboard or at the network. status says whether the bank has taken the money.',
  },
  'dispute.won': {
    summary: 'You won a dispute',
    description: 'status is success again once the money is back. Do not deliver a second time.',
  },
  'dispute.lost': {
    summary: 'You lost a dispute',
    description: 'The money is gone, and status is reversed. Do not refund the payment as well.',
  },
}

const properties = transactionSchema['properties'] as Record<string, JsonSchema>
const {
  checkout_url: _link,
  project: _project,
  project_id: _projectId,
  refunds: _refunds,
  ...told
} = properties

export const eventSchema: JsonSchema = {
  ...transactionSchema,
  title: 'PaymentEvent',
  required: ['event', ...(transactionSchema['required'] as string[])],
  properties: {
    event: { type: 'string', enum: [...paymentIpnEvents], description: 'What happened.' },
    ...told,
  },
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', example },
})

export const webhookHeaders: readonly Parameter[] = [
  header(
    'webhook-id',
    "The event's id, the same on every delivery attempt: store it to avoid handling an event twice.",
    'evt_Zk3yB0vKp2mQxw9T5cLhJd8S',
  ),
  header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970.', '1794751501'),
  header(
    'webhook-signature',
    'As defined by Standard Webhooks: v1, and base64; two signatures separated by a space while the secret is being rolled.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'signature',
    'A simpler alternative: the HMAC-SHA256 of the body in hex, keyed with the secret as shown.',
    '0c4f6cc8dbd2a5f9c5f2f6f3c2c27b8e7e0a1a3ee6b1f3cbd0d5ff4c6d0bc2c1',
  ),
]

const unpaid: readonly PaymentIpnEvent[] = ['payment.failed', 'payment.cancelled', 'payment.expired']
const paid = {
  paid_at: '2026-11-15T14:06:12.654321Z',
  method: { kind: 'card', network: 'test-network', brand: 'Visa', last4: '4242' },
}
const failureExample = { code: 'insufficient_funds', message: describeReason('insufficient_funds') }

export function eventExample(event: PaymentIpnEvent): object {
  const { checkout_url: _, ...transaction } = transactionExample
  return {
    event,
    ...transaction,
    ...afterEvent(event),
    updated_at: '2026-11-15T14:06:12.654321Z',
    ...(event === 'payment.refunded' && {
      refunded: transaction.amount,
      refunded_minor: transaction.amount_minor,
    }),
    ...(!unpaid.includes(event) && paid),
    ...(event === 'payment.failed' && { failure: failureExample }),
  }
}

function afterEvent(event: PaymentIpnEvent): object {
  const decided = { ...disputeExample, evidence_due_at: null }
  if (event === 'dispute.opened') return { status: 'reversed', dispute: disputeExample }
  if (event === 'dispute.lost') return { status: 'reversed', dispute: { ...decided, status: 'lost' } }
  if (event === 'dispute.won') {
    return { status: 'success', dispute: { ...decided, status: 'won', money_taken: false } }
  }
  return { status: event.slice('payment.'.length) }
}

export const paymentWebhooks: readonly Webhook[] = paymentIpnEvents.map((event) => ({
  event,
  ...eventWords[event],
  headers: webhookHeaders,
  schema: eventSchema,
  example: eventExample(event),
}))
