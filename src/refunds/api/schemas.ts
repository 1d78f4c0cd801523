import type { JsonSchema } from '../../http/openapi/openapi.ts'
import { refundStatuses } from '../state-machine.ts'
import { refundLimits } from './read-refund.ts'

// The shapes of refunds in requests and answers, with one example that a test holds against real answers.

const time = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$',
  description,
})
const money = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{1,3}(,\\d{3})*\\.\\d{2,4}$',
  description,
})

export const refundBody: JsonSchema = {
  title: 'RefundRequest',
  type: 'object',
  additionalProperties: false,
  required: ['refund_ref'],
  properties: {
    refund_ref: {
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: refundLimits.refundRef,
      description:
        'Your reference. Unique for every refund of yours in a mode, forever: sent again, it gives the same refund and no second one. A whole number is taken as its digits.',
    },
    amount: {
      type: ['string', 'number'],
      description:
        'How much of the payment goes back, as a plain decimal such as 10.50. All that is left when you leave it out.',
    },
    reason: {
      type: 'string',
      maxLength: refundLimits.reason,
      description: 'Why. The customer reads it in the mail and on the receipt.',
    },
  },
}

export const refundRequestExample = {
  refund_ref: 'return-77',
  amount: '234.50',
  reason: 'One chair came broken',
}

export const refundSchema: JsonSchema = {
  title: 'Refund',
  type: 'object',
  additionalProperties: false,
  required: [
    'refund_ref',
    'tx_ref',
    'reference',
    'mode',
    'status',
    'currency',
    'amount',
    'amount_minor',
    'fee_returned',
    'fee_returned_minor',
    'reason',
    'created_at',
    'updated_at',
  ],
  properties: {
    refund_ref: { type: 'string' },
    tx_ref: { type: 'string', description: 'Of the payment.' },
    reference: { type: 'string', description: 'Our reference of the payment, as on the receipt.' },
    mode: { type: 'string', enum: ['test', 'live'] },
    status: {
      type: 'string',
      enum: [...refundStatuses],
      description:
        'Whether the money went back: only when it says success. requested: the network has not answered. submitted: it has not decided.',
    },
    currency: { type: 'string' },
    amount: money('With thousands separators and at least two decimals.'),
    amount_minor: { type: 'integer', description: "The same amount in the currency's smallest unit." },
    fee_returned: money('What of our fee went back to you with it.'),
    fee_returned_minor: { type: 'integer', description: "The same in the currency's smallest unit." },
    reason: { type: 'string', description: 'Empty when you sent none.' },
    failure: { type: 'string', description: 'Only when it failed: why, in the words of the network.' },
    created_at: time('UTC, with microseconds.'),
    updated_at: time('UTC, with microseconds.'),
    history: {
      type: 'array',
      description: 'Only when it is looked up by itself: what it was, and since when.',
      items: {
        title: 'RefundStep',
        type: 'object',
        additionalProperties: false,
        required: ['at', 'status'],
        properties: {
          at: time('UTC, with microseconds.'),
          status: { type: 'string', enum: [...refundStatuses] },
        },
      },
    },
  },
}

export const refundExample = {
  refund_ref: 'return-77',
  tx_ref: 'order-1001',
  reference: 'FLRN7E6AFM3XJF',
  mode: 'test',
  status: 'success',
  currency: 'GBP',
  amount: '234.50',
  amount_minor: 23_450,
  fee_returned: '0.00',
  fee_returned_minor: 0,
  reason: 'One chair came broken',
  created_at: '2026-11-16T09:00:00.123456Z',
  updated_at: '2026-11-16T09:00:00.654321Z',
}
