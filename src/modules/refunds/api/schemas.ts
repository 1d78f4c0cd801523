import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { minorField } from '../../../core/payments/api/schemas.ts'
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
        'Your reference. Unique per refund and mode, forever: sending it again returns the same refund instead of making a second one. A whole number is read as its digits.',
    },
    amount: {
      type: ['string', 'number'],
      description: 'How much to refund, as a plain decimal such as 10.50. Default: everything that is left.',
    },
    amount_minor: minorField,
    reason: {
      type: 'string',
      maxLength: refundLimits.reason,
      description: 'The reason. The customer sees it in the e-mail and on the receipt.',
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
        'success: the money was sent back. requested: the network has not answered. submitted: the network has not decided.',
    },
    currency: { type: 'string' },
    amount: money('With thousands separators and at least two decimals.'),
    amount_minor: { type: 'integer', description: "The same amount in the currency's smallest unit." },
    fee_returned: money('How much of our fee was returned to you.'),
    fee_returned_minor: { type: 'integer', description: "The same in the currency's smallest unit." },
    reason: { type: 'string', description: 'Empty if you sent none.' },
    failure: { type: 'string', description: "Only when it failed: the network's reason." },
    created_at: time('UTC, with microseconds.'),
    updated_at: time('UTC, with microseconds.'),
    history: {
      type: 'array',
      description: 'Only in the look-up of a single refund: its status changes with their times.',
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
