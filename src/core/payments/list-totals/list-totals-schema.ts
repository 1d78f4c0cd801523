import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'

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
  gross: { type: 'string', description: 'What customers paid.' },
  gross_minor: minor,
  refunds: { type: 'string', description: 'What was paid back: the same as refunded.' },
  refunds_minor: minor,
  disputes: { type: 'string', description: 'What banks took, less what they gave back.' },
  disputes_minor: minor,
  network_fees: {
    type: 'string',
    description: 'What networks charged, with tax and dispute fees, as they booked it in this currency.',
  },
  network_fees_minor: minor,
  net: { type: 'string', description: 'gross - refunds - disputes - network_fees. charge is no part of it.' },
  net_minor: minor,
  fees_not_reported_count: {
    type: 'integer',
    description:
      'Paid payments whose networks have not reported their fees yet, so that network_fees lacks them.',
  },
  fees_not_reported: { type: 'string', description: 'What customers paid for those.' },
  fees_not_reported_minor: minor,
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
