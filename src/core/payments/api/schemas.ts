import { paymentMethods } from '../../networks/hosted.ts'
import { urlSchema as url } from '../../../platform/http/openapi/described.ts'
import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { payWithinMinutes } from '../../merchants/times/pay-within.ts'
import { limits } from '../limits.ts'
import { disputeSchema } from './dispute-schema.ts'
import { failureSchema, savingFields, shownMethodSchema } from '../saving/schema.ts'
import { paymentStates } from '../state-machine.ts'

// The shapes of group A's requests and answers, with one example that a test holds against real answers.

const text = (max: number, description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  description,
})
export const time = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$',
  description,
})
const money = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{1,3}(,\\d{3})*\\.\\d{2,4}$',
  description,
})

/** Where `amount` may be sent, too. */
export const minorField: JsonSchema = {
  type: ['integer', 'string'],
  description:
    "Instead of amount: in the currency's smallest unit (pence, cents; yen as they are). With amount it must be equal.",
}

export const paymentFields = {
  tx_ref: {
    type: ['string', 'integer'],
    minLength: 1,
    maxLength: limits.txRef,
    description:
      'Your reference. Unique per payment and mode, forever. A whole number is read as its digits.',
  },
  amount: {
    type: ['string', 'number'],
    description:
      'Required without amount_minor. A plain decimal such as 1000.50, more than zero, at most 999,999,999.99. Send a string to be safe.',
  },
  amount_minor: minorField,
  currency: {
    type: 'string',
    pattern: '^[A-Za-z]{3}$',
    description:
      'ISO 4217. Test mode takes every currency; live mode what your networks take, less what you switched off.',
  },
  email: {
    type: 'string',
    format: 'email',
    maxLength: limits.email,
    description:
      "The customer's address, for the receipt. Without it the checkout page asks for it before paying.",
  },
  first_name: text(limits.name, "The customer's first name."),
  last_name: {
    type: 'string',
    maxLength: limits.name,
    description: "The customer's last name, if any.",
  },
  callback_url: url('Where Florin sends notifications about the payment (IPN). https in live mode.'),
  return_url: url(
    'Where the customer goes after paying. Florin adds tx_ref and status to the query. https in live mode.',
  ),
} as const

export const createBody: JsonSchema = {
  title: 'PaymentRequest',
  type: 'object',
  required: ['tx_ref', 'currency', 'first_name'],
  properties: {
    ...paymentFields,
    customization: {
      title: 'CustomizationRequest',
      type: 'object',
      description: 'What the checkout page shows.',
      properties: {
        title: { type: 'string', maxLength: limits.title },
        description: { type: 'string', maxLength: limits.description },
        logo: url('A picture.'),
      },
    },
    meta: {
      type: 'object',
      additionalProperties: true,
      description:
        'Your own data, returned as sent. At most 8 KiB and 5 levels. A list, which PHP sends for some arrays, becomes an object with the keys 0, 1, 2 …',
    },
    items: {
      type: 'array',
      maxItems: limits.items,
      description: 'The items being paid for. Prices include tax, and the lines add up to amount.',
      items: {
        title: 'ItemRequest',
        type: 'object',
        required: ['name', 'unit_amount'],
        properties: {
          name: text(limits.itemName, "The item's name."),
          quantity: { type: 'integer', minimum: 1, maximum: 1_000_000, description: '1 when left out.' },
          unit_amount: {
            type: ['string', 'number'],
            description:
              'The unit price including tax, in the format of amount. 0 is allowed; negative for a discount.',
          },
          tax_rate: {
            type: ['string', 'number'],
            description:
              'Percent from 0 to 100, such as 20 or 5.5. Shown as tax that is included; 0 is not shown.',
          },
          tax_name: text(limits.taxName, 'What the tax is called. Left out: VAT, GST …, as in your country.'),
        },
      },
    },
    invoice_number: text(limits.invoiceNumber, 'Your invoice number, shown on the receipt.'),
    project: { type: 'string', maxLength: 255, description: 'One of your projects, by id or name.' },
    expires_in: {
      type: ['integer', 'string'],
      minimum: payWithinMinutes.least * 60,
      maximum: payWithinMinutes.most * 60,
      description:
        "How many seconds the customer has to pay, from 30 minutes to 30 days. Default: your shop's setting. Not available in web forms.",
    },
    ...savingFields,
  },
}

const methodSchema: JsonSchema = {
  title: 'PaymentMethod',
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'network', 'brand', 'last4'],
  description: 'How the customer paid. Only once paid.',
  properties: {
    kind: { type: 'string', enum: [...paymentMethods] },
    network: {
      type: 'string',
      description: 'The network that took the money: test-network, stripe, gocardless, paystack …',
    },
    brand: { type: ['string', 'null'], description: "The card's brand, if the network reports it: Visa …" },
    last4: { type: ['string', 'null'], description: "The card's last four digits, if known." },
  },
}

export const transactionSchema: JsonSchema = {
  title: 'Transaction',
  type: 'object',
  additionalProperties: false,
  required: [
    'first_name',
    'last_name',
    'email',
    'currency',
    'amount',
    'amount_minor',
    'charge',
    'charge_minor',
    'refunded_minor',
    'mode',
    'type',
    'status',
    'reference',
    'tx_ref',
    'customization',
    'meta',
    'created_at',
    'updated_at',
    'expires_at',
  ],
  properties: {
    first_name: { type: 'string' },
    last_name: { type: 'string', description: 'Empty if you sent none.' },
    email: { type: 'string', description: 'Empty until the customer types it, if you sent none.' },
    currency: { type: 'string' },
    amount: money('With thousands separators and at least two decimals.'),
    amount_minor: {
      type: 'integer',
      description:
        "The same amount in the currency's smallest unit (pence, cents; yen as they are): compare this with your order.",
    },
    charge: money('Our fee, fixed when the payment was created.'),
    charge_minor: { type: 'integer', description: "The same fee in the currency's smallest unit." },
    refunded_minor: {
      type: 'integer',
      description: "Total refunded, in the currency's smallest unit: 0 before the first refund.",
    },
    mode: { type: 'string', enum: ['test', 'live'] },
    type: { type: 'string', enum: ['API', 'Form', 'Link'], description: 'Where the payment came from.' },
    status: {
      type: 'string',
      enum: [...paymentStates],
      description: 'Whether money moved. The envelope says success when the look-up worked.',
    },
    reference: { type: 'string', description: 'Our reference, as on the receipt.' },
    tx_ref: { type: 'string' },
    customization: {
      title: 'Customization',
      type: 'object',
      additionalProperties: false,
      required: ['title', 'description', 'logo'],
      properties: { title: { type: 'string' }, description: { type: 'string' }, logo: { type: 'string' } },
    },
    meta: { type: 'object', additionalProperties: true, description: 'As you sent it; {} without.' },
    items: {
      type: 'array',
      description: 'Only if you sent some.',
      items: {
        title: 'Item',
        type: 'object',
        additionalProperties: false,
        required: ['name', 'quantity', 'unit_amount', 'unit_amount_minor'],
        properties: {
          name: { type: 'string' },
          quantity: { type: 'integer' },
          unit_amount: { type: 'string', pattern: '^-?\\d{1,3}(,\\d{3})*\\.\\d{2,4}$' },
          unit_amount_minor: { type: 'integer' },
          tax_rate: { type: 'string', description: 'Percent.' },
          tax_name: { type: 'string', description: 'Only when you sent one.' },
        },
      },
    },
    invoice_number: { type: 'string', description: 'Only if you sent one.' },
    created_at: time('UTC, with microseconds.'),
    updated_at: time('UTC, with microseconds.'),
    expires_at: time('The deadline for paying. UTC, with microseconds.'),
    paid_at: time('When it was paid. Only once paid.'),
    method: methodSchema,
    saved_method: shownMethodSchema,
    failure: failureSchema,
    checkout_url: { type: 'string', format: 'uri', description: 'Only while pending.' },
    refunded: money('Only once something was refunded: the total.'),
    refunds: {
      type: 'array',
      description:
        'Only in the look-up, and only once a refund was requested: all refunds, oldest first, including failed ones.',
      items: { type: 'object', additionalProperties: true },
    },
    dispute: disputeSchema,
    project: {
      type: 'string',
      description:
        "The project's name, even if it was deleted. Only in lists and in the answer to a cancellation.",
    },
    project_id: { type: 'string', description: "The project's id, wherever its name is shown." },
  },
}

export const linkSchema: JsonSchema = {
  title: 'PaymentLink',
  type: 'object',
  additionalProperties: false,
  required: ['checkout_url'],
  properties: { checkout_url: { type: 'string', format: 'uri', pattern: '/payment/\\d{32}$' } },
}

export const requestExample = {
  tx_ref: 'order-1001',
  amount: '1234.50',
  currency: 'GBP',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  callback_url: 'https://shop.example.com/ipn',
  return_url: 'https://shop.example.com/thanks',
  customization: { title: 'Order 1001', description: 'Two chairs' },
  meta: { cart: 7 },
}

export const transactionExample = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  currency: 'GBP',
  amount: '1,234.50',
  amount_minor: 123_450,
  charge: '17.48',
  charge_minor: 1_748,
  refunded_minor: 0,
  mode: 'test',
  type: 'API',
  status: 'pending',
  reference: 'FLRN7E6AFM3XJF',
  tx_ref: 'order-1001',
  customization: { title: 'Order 1001', description: 'Two chairs', logo: '' },
  meta: { cart: 7 },
  created_at: '2026-11-15T14:05:00.123456Z',
  updated_at: '2026-11-15T14:05:00.123456Z',
  expires_at: '2026-11-16T14:05:00.123456Z',
  checkout_url: 'https://pay.example.com/payment/59391412749383975174473831284788',
}
