import type { JsonSchema } from '../../http/openapi/openapi.ts'
import { disputeStates, type DisputeView } from '../disputed/dispute-view.ts'

// The shape of a dispute, in the look-up, in notifications and in the list of disputes.

const time = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$'

export const disputeProperties: Readonly<Record<keyof DisputeView, JsonSchema>> = {
  id: { type: 'string', description: 'dsp_…' },
  status: {
    type: 'string',
    enum: [...disputeStates],
    description:
      'evidence_due: answer by evidence_due_at. under_review: the bank decides. won: the money is yours. lost: it is gone.',
  },
  reason: { type: 'string', description: "In the network's word: fraudulent, product_not_received …" },
  amount: { type: 'string', description: 'What the bank asks for, which may be less than was paid.' },
  amount_minor: { type: 'integer', description: "The same in the currency's smallest unit." },
  currency: { type: 'string' },
  evidence_due_at: {
    type: ['string', 'null'],
    pattern: time,
    description:
      'Until when you can answer, in the dashboard of the network. Null when nothing is asked of you.',
  },
  money_taken: {
    type: 'boolean',
    description:
      'The bank has the money, for as long as the dispute lasts or for good. The payment is reversed then.',
  },
  loss: {
    type: 'string',
    description:
      'How much more went out for the payment than came in: its refunds plus what banks took, less what was paid, in its currency. 0.00 unless it was refunded before the bank took it too.',
  },
  loss_minor: {
    type: 'integer',
    minimum: 0,
    description: 'The same in the currency’s smallest unit. 0: nothing was lost twice.',
  },
  created_at: { type: 'string', pattern: time, description: 'When we heard of it. UTC, with microseconds.' },
  updated_at: { type: 'string', pattern: time, description: 'UTC, with microseconds.' },
}

export const disputeRequired: readonly string[] = Object.keys(disputeProperties)

export const disputeSchema: JsonSchema = {
  title: 'Dispute',
  type: 'object',
  additionalProperties: false,
  required: [...disputeRequired],
  properties: disputeProperties,
  description:
    'Only once the customer’s bank asked for the money back; the newest one, or the one that is open.',
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
