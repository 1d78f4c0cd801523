import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { time } from './schemas.ts'

// The shape of a refused web form, as merchants list them.

export const formRefusalSchema: JsonSchema = {
  title: 'FormRefusal',
  type: 'object',
  additionalProperties: false,
  required: ['created_at', 'code', 'message', 'errors', 'tx_ref', 'request_id'],
  properties: {
    created_at: time('UTC, with microseconds.'),
    code: { type: 'string' },
    message: { type: 'string', description: 'Names the first rule that failed.' },
    errors: {
      type: ['object', 'null'],
      description: 'Every rule that failed, by field of the form.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    tx_ref: { type: ['string', 'null'], description: 'As sent in the form, if it was valid.' },
    request_id: { type: 'string', description: 'Shown on the page the customer saw, and in the log.' },
  },
}

export const formRefusalExample = {
  created_at: '2026-11-15T14:05:00.123456Z',
  code: 'validation_failed',
  message: 'amount must be a plain decimal number such as 1000.50',
  errors: { amount: ['amount must be a plain decimal number such as 1000.50'] },
  tx_ref: 'order-1001',
  request_id: 'req_5Xk2mPqLrT9a1',
}
