import { lineKinds } from '../../../core/networks/payout-reports.ts'
import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { modes } from '../../../core/merchants/mode.ts'
import type { presentLine, presentPayout } from '../present.ts'
import { payoutStates } from '../state-machine.ts'

// The shapes of payouts, their lines and balances, for /openapi.json and the reference page.

const instant = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$'
const time = (description: string): JsonSchema => ({ type: 'string', pattern: instant, description })
const minor = (description: string): JsonSchema => ({ type: 'integer', description })
const text = (description: string): JsonSchema => ({ type: 'string', description })
const textOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description })

function object(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}

const status: JsonSchema = {
  type: 'string',
  enum: [...payoutStates],
  description:
    'announced: the network has set the money aside. on_its_way: sent. arrived: your bank has it. failed: your bank refused it. returned: your bank sent it back after it had arrived.',
}

const failure = textOrNull("Why it failed or came back, in the network's words.")

export const payoutProperties: Readonly<Record<keyof ReturnType<typeof presentPayout>, JsonSchema>> = {
  id: text('po_…'),
  status,
  mode: { type: 'string', enum: [...modes] },
  network: text('Who paid: stripe, gocardless, paystack …'),
  amount: text('What goes to your bank.'),
  amount_minor: minor("The same in the currency's smallest unit."),
  currency: { type: 'string' },
  arrives_on: textOrNull('The day on which the network expects it at your bank.'),
  bank_reference: textOrNull('What your bank statement shows.'),
  network_reference: text("The network's name for the payout."),
  failure,
  lines: {
    type: 'string',
    enum: ['complete', 'pending', 'unavailable'],
    description: 'pending: the network has not listed its bookings yet. unavailable: it never will.',
  },
  line_count: { type: 'integer', minimum: 0 },
  gross_minor: minor('The sum of its lines before fees.'),
  fee_minor: minor('What the network charged, without tax.'),
  tax_minor: minor('Tax on the fees.'),
  difference_minor: minor(
    "What the network's own lines lack to the amount. If it isn't 0, a line of kind difference holds it.",
  ),
  created_at: time('When the network made it. UTC, with microseconds.'),
  updated_at: time('UTC, with microseconds.'),
}

export const payoutSchema: JsonSchema = object('Payout', payoutProperties)

export const payoutDetailsSchema: JsonSchema = object('PayoutDetails', {
  ...payoutProperties,
  history: {
    type: 'array',
    description: 'Every status it had, the oldest first.',
    items: object('PayoutHistory', {
      at: time('UTC, with microseconds.'),
      status: { ...status, description: 'Its status from then on.' },
      failure,
    }),
  },
})

const lineProperties: Readonly<Record<keyof ReturnType<typeof presentLine>, JsonSchema>> = {
  id: text("The network's name for the booking."),
  kind: { type: 'string', enum: [...lineKinds] },
  type: text("The network's own word for it."),
  tx_ref: textOrNull('Of your payment, if it is about one.'),
  refund_ref: textOrNull('Of your refund, if it is one.'),
  gross: text('Negative if it left your account at the network.'),
  gross_minor: minor("The same in the currency's smallest unit."),
  fee_minor: minor('What the network charged, without tax.'),
  tax_minor: minor('Tax on the fee.'),
  net: text('Gross less fee less tax.'),
  net_minor: minor("The same in the currency's smallest unit."),
  currency: { type: 'string' },
  original_minor: {
    type: ['integer', 'null'],
    description: 'What the customer paid or got back, if the network changed the money.',
  },
  original_currency: textOrNull('Of original_minor.'),
  exchange_rate: textOrNull('As the network wrote it.'),
  booked_at: time('UTC, with microseconds.'),
}

export const lineSchema: JsonSchema = object('PayoutLine', lineProperties)

const balanceSchema = object('Balance', {
  network: text('Who holds the money: stripe, gocardless, paystack …'),
  account: text('Your account there, as Florin names it.'),
  currency: { type: 'string' },
  pending: text("What the network holds and can't pay out yet."),
  pending_minor: minor("The same in the currency's smallest unit."),
  available: text('What the network can pay out.'),
  available_minor: minor("The same in the currency's smallest unit."),
  on_its_way: text('What is between the network and your bank.'),
  on_its_way_minor: minor("The same in the currency's smallest unit."),
  arrived: text('Everything that has arrived so far.'),
  arrived_minor: minor("The same in the currency's smallest unit."),
  difference_minor: minor(
    'How much more the network said it holds, when the two were last compared. 0: they agree.',
  ),
  compared_at: {
    type: ['string', 'null'],
    pattern: instant,
    description: 'When that was; null if the network reports no balance.',
  },
})

export const balancesSchema: JsonSchema = object('Balances', {
  balances: {
    type: 'array',
    description: 'One for each account and currency. Empty before the first booking.',
    items: balanceSchema,
  },
  not_reported: {
    type: 'array',
    description:
      'Paid payments that no network has booked yet, per currency: they are in no balance, and their fees are not known.',
    items: object('NotReported', {
      currency: text('The currency.'),
      networks: {
        type: 'array',
        items: { type: 'string' },
        description: 'The networks they were paid with.',
      },
      payments: minor('How many.'),
      amount: text('What customers paid for them.'),
      amount_minor: minor("The same in the currency's smallest unit."),
      complete: { type: 'boolean', description: 'false: there are more, older ones, which are not counted.' },
    }),
  },
})

export const payoutExample: ReturnType<typeof presentPayout> = {
  id: 'po_8Fq2mPqLrT9a1Zk3yB0vKp2m',
  status: 'arrived',
  mode: 'live',
  network: 'stripe',
  amount: '1,216.97',
  amount_minor: 121_697,
  currency: 'GBP',
  arrives_on: '2026-11-20',
  bank_reference: '0001234567',
  network_reference: 'po_1Q2w3E4r5T6y',
  failure: null,
  lines: 'complete',
  line_count: 1,
  gross_minor: 123_450,
  fee_minor: 1_461,
  tax_minor: 292,
  difference_minor: 0,
  created_at: '2026-11-18T00:02:11.000000Z',
  updated_at: '2026-11-20T06:00:03.512000Z',
}

export const lineExample: ReturnType<typeof presentLine> = {
  id: 'txn_1Q2w3E4r5T6y',
  kind: 'payment',
  type: 'charge',
  tx_ref: 'order-1001',
  refund_ref: null,
  gross: '1,234.50',
  gross_minor: 123_450,
  fee_minor: 1_461,
  tax_minor: 292,
  net: '1,216.97',
  net_minor: 121_697,
  currency: 'GBP',
  original_minor: null,
  original_currency: null,
  exchange_rate: null,
  booked_at: '2026-11-15T14:05:09.000000Z',
}

export const notReportedExample = {
  currency: 'GBP',
  networks: ['gocardless'],
  payments: 36,
  amount: '1,531.00',
  amount_minor: 153_100,
  complete: true,
}

export const balanceExample = {
  network: 'stripe',
  account: 'acc_4vKp2mPqLrT9a1Zk',
  currency: 'GBP',
  pending: '310.00',
  pending_minor: 31_000,
  available: '95.20',
  available_minor: 9_520,
  on_its_way: '0.00',
  on_its_way_minor: 0,
  arrived: '1,216.97',
  arrived_minor: 121_697,
  difference_minor: 0,
  compared_at: '2026-11-20T03:00:00.000000Z',
}
