import type { JsonSchema, Parameter, Webhook } from '../../http/openapi/openapi.ts'
import { paymentIpnEvents, type PaymentIpnEvent } from '../../notifications/events.ts'
import { sayReason } from '../attempts/say-reason.ts'
import { disputeExample } from './dispute-schema.ts'
import { transactionExample, transactionSchema } from './schemas.ts'

// What a merchant's own server is sent, described for /openapi.json and the reference.

type Told = { readonly summary: string; readonly description: string }

export const eventWords: Readonly<Record<PaymentIpnEvent, Told>> = {
  'payment.success': {
    summary: 'The money is there',
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
    summary: 'Nobody paid in time',
    description: 'No money was taken. If money arrives all the same, payment.success follows.',
  },
  'payment.refunded': {
    summary: 'All of the money went back',
    description: 'Follows the refund.success after which nothing is left.',
  },
  'payment.reversed': {
    summary: 'The bank took the money back',
    description:
      'In a dispute, often when it is opened. Hold any orders you haven’t shipped. If the dispute is won the money comes back, and dispute.won says so: no second payment.success comes.',
  },
  'dispute.opened': {
    summary: 'The customer’s bank asks for the money back',
    description:
      'Answer by dispute.evidence_due_at, in the dashboard of the network. status says whether the money was taken meanwhile.',
  },
  'dispute.won': {
    summary: 'The dispute was decided for you',
    description: 'status is success again, once the money is back. Do not deliver a second time.',
  },
  'dispute.lost': {
    summary: 'The dispute was decided for the customer',
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
    'Names the event, the same in every try: remember it, and do nothing twice.',
    'evt_Zk3yB0vKp2mQxw9T5cLhJd8S',
  ),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.', '1794751501'),
  header(
    'webhook-signature',
    'By Standard Webhooks: v1, and base64; two of them, with a space between, while the secret is rolled.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'signature',
    'The other way: hex of HMAC-SHA256 over the body alone, keyed with the secret as it is shown.',
    '0c4f6cc8dbd2a5f9c5f2f6f3c2c27b8e7e0a1a3ee6b1f3cbd0d5ff4c6d0bc2c1',
  ),
]

const unpaid: readonly PaymentIpnEvent[] = ['payment.failed', 'payment.cancelled', 'payment.expired']
const paid = {
  paid_at: '2026-11-15T14:06:12.654321Z',
  method: { kind: 'card', network: 'test-network', brand: 'Visa', last4: '4242' },
}
const failureExample = { code: 'insufficient_funds', message: sayReason('insufficient_funds') }

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
