import { agreements } from '../../../core/networks/hosted.ts'
import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { paymentFields, time, transactionExample } from '../../../core/payments/api/schemas.ts'
import { limits } from '../../../core/payments/limits.ts'
import { savedMethodProperties, shownMethodExample } from '../../../core/payments/saving/schema.ts'

// The shapes of saved methods in requests and answers, with examples that a test holds against real answers.

export const methodIdPattern = '^svm_[0-9A-Za-z]{16}$'

export const savedMethodSchema: JsonSchema = {
  title: 'SavedMethod',
  type: 'object',
  additionalProperties: false,
  required: [...Object.keys(savedMethodProperties), 'mode', 'customer_ref', 'agreement', 'saved_at'],
  properties: {
    ...savedMethodProperties,
    mode: { type: 'string', enum: ['test', 'live'] },
    customer_ref: { type: 'string', description: 'Your own name for the customer.' },
    agreement: { type: 'string', enum: [...agreements], description: 'What the customer agreed to.' },
    limit: {
      type: 'string',
      description: 'The most that you may charge per day. Only if the payment named a limit.',
    },
    limit_minor: { type: 'integer', description: "The same in the currency's smallest unit." },
    limit_currency: { type: 'string' },
    tx_ref: { type: 'string', description: 'Of the payment that saved it. Only in method.saved.' },
    saved_at: time('UTC, with microseconds.'),
    retry_after: time('Only after a declined charge: charges before this time are refused.'),
    ended_at: time('Only once ended. UTC, with microseconds.'),
    ended_by: {
      type: 'string',
      enum: ['merchant', 'customer', 'network', 'erasure'],
      description:
        'Only once ended. network: a charge was declined for good. erasure: you erased the customer.',
    },
  },
}

export const savedMethodExample = {
  ...shownMethodExample,
  mode: 'test',
  customer_ref: 'customer-77',
  agreement: 'recurring',
  saved_at: '2026-11-16T09:00:00.123456Z',
}

export const chargeBody: JsonSchema = {
  title: 'ChargeRequest',
  type: 'object',
  additionalProperties: false,
  required: ['tx_ref', 'currency'],
  properties: {
    tx_ref: {
      ...paymentFields.tx_ref,
      description:
        'Your reference of this charge, unique like that of any payment. It is the key: sending it again returns the same transaction and never charges twice.',
    },
    amount: paymentFields.amount,
    amount_minor: paymentFields.amount_minor,
    currency: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' },
    description: {
      type: 'string',
      maxLength: limits.description,
      description: 'What it is for, as the customer reads it.',
    },
    callback_url: {
      ...paymentFields.callback_url,
      description:
        'Where Florin sends notifications about the charge. Default: as the payment that saved the method.',
    },
    meta: { type: 'object', additionalProperties: true, description: 'Your own data, returned as sent.' },
    email_customer: {
      type: 'boolean',
      description: "If the customer's bank wants to ask them: e-mail them a link to the checkout page.",
    },
  },
}

export const chargeRequestExample = {
  tx_ref: 'subscription-77-2026-12',
  amount: '9.90',
  currency: 'GBP',
  description: 'Membership, December',
}

const { checkout_url: _link, ...withoutLink } = transactionExample

export const chargeExample = {
  ...withoutLink,
  amount: '9.90',
  amount_minor: 990,
  charge: '0.34',
  charge_minor: 34,
  status: 'success',
  reference: 'FLTC54B69LXMCX',
  tx_ref: 'subscription-77-2026-12',
  customization: { title: '', description: 'Membership, December', logo: '' },
  meta: {},
  paid_at: '2026-11-16T09:00:00.654321Z',
  method: { kind: 'card', network: 'test-network', brand: 'Visa', last4: '4242' },
  saved_method: shownMethodExample,
}
