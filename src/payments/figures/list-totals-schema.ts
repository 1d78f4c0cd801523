import type { JsonSchema } from '../../http/openapi/openapi.ts'

// Beside the data of the list of transactions.

const money: JsonSchema = { type: 'string' }
const minor: JsonSchema = { type: 'integer', description: "The same in the currency's smallest unit." }

const totals: Readonly<Record<string, JsonSchema>> = {
  currency: { type: 'string' },
  status: { type: 'string' },
  count: { type: 'integer', description: 'How many payments.' },
  amount: money,
  amount_minor: minor,
  charge: money,
  charge_minor: minor,
  refunded: money,
  refunded_minor: minor,
}

export const listMeta: JsonSchema = {
  title: 'TransactionsMeta',
  type: 'object',
  additionalProperties: false,
  required: ['limit', 'next_cursor'],
  properties: {
    limit: { type: 'integer' },
    next_cursor: { type: ['string', 'null'] },
    totals: {
      type: 'array',
      description: 'Only with totals=true: the totals of all pages, per currency and status.',
      items: {
        title: 'ListTotal',
        type: 'object',
        additionalProperties: false,
        required: Object.keys(totals),
        properties: totals,
      },
    },
  },
}
