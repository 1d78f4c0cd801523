import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { disputeStates, type DisputeView } from '../disputed/dispute-view.ts'

// The shape of a dispute, in the look-up, in notifications and in the list of disputes.

const time = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$'

export const disputeProperties: Readonly<Record<keyof DisputeView, JsonSchema>> = {
  id: { type: 'string', description: 'dsp_…' },
  status: {
    type: 'string',
    enum: [...disputeStates],
    description:
      'evidence_due: respond by evidence_due_at. under_review: the bank is deciding. won: you keep the money. lost: the customer keeps it.',
  },
  reason: { type: 'string', description: "The network's reason code: fraudulent, product_not_received …" },
  amount: { type: 'string', description: 'The disputed amount, which may be less than was paid.' },
  amount_minor: { type: 'integer', description: "The same in the currency's smallest unit." },
  currency: { type: 'string' },
  evidence_due_at: {
    type: ['string', 'null'],
    pattern: time,
    description:
      "The deadline for your response: in Florin's dashboard, or at the network if Florin can't pass it on. Null when no response is needed.",
  },
  money_taken: {
    type: 'boolean',
    description:
      'Whether the bank holds the money, during the dispute or for good. The payment is then reversed.',
  },
  loss: {
    type: 'string',
    description:
      'The loss on the payment: refunds plus what the bank took, minus what the customer paid. A lost dispute without a refund has 0.00: you lost the payment, and nothing on top of it.',
  },
  loss_minor: {
    type: 'integer',
    minimum: 0,
    description: 'The same in the currency’s smallest unit. 0: no loss.',
  },
  created_at: {
    type: 'string',
    pattern: time,
    description: 'When Florin learned of it. UTC, with microseconds.',
  },
  updated_at: { type: 'string', pattern: time, description: 'UTC, with microseconds.' },
}

export const disputeRequired: readonly string[] = Object.keys(disputeProperties)

export const disputeSchema: JsonSchema = {
  title: 'Dispute',
  type: 'object',
  additionalProperties: false,
  required: [...disputeRequired],
  properties: disputeProperties,
  description: 'Only for a disputed payment: the open dispute, otherwise the newest.',
}

export const disputeExample: DisputeView = {
  id: 'dsp_8Fq2mPqLrT9a1Zk3yB0vKp2m',
  status: 'evidence_due',
  reason: 'fraudulent',
  amount: '1,234.50',
  amount_minor: 123_450,
  currency: 'GBP',
  evidence_due_at: '2026-12-01T23:59:59.000000Z',
  money_taken: true,
  loss: '0.00',
  loss_minor: 0,
  created_at: '2026-11-18T09:12:33.481000Z',
  updated_at: '2026-11-18T09:12:33.481000Z',
}
