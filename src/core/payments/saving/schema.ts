import { declineReasons, savedMethodKinds } from '../../networks/connector.ts'
import { agreements } from '../../networks/hosted.ts'
import type { JsonSchema } from '../../../platform/http/openapi/openapi.ts'
import { limits } from '../limits.ts'

// The shapes of saved methods in payments.

export const savingFields: Readonly<Record<string, JsonSchema>> = {
  save: {
    type: 'string',
    enum: [...agreements],
    description:
      'Save the payment method, so that you can charge it again without the customer. recurring: on a schedule, as for a subscription. unscheduled: when something is due, as for a top-up. The checkout page tells the customer, and only networks that can save are offered.',
  },
  customer_ref: {
    type: 'string',
    minLength: 1,
    maxLength: limits.customerRef,
    description:
      'Your own name for the customer. Required with save. Without save, the page offers to pay with a method that this customer saved: set it only for a customer who is signed in at your shop.',
  },
  save_limit: {
    type: ['string', 'number'],
    description:
      'With save: the most that you may charge per day, in the currency of the payment. The customer is told, and Florin refuses more.',
  },
}

export const savedMethodProperties: Readonly<Record<string, JsonSchema>> = {
  id: { type: 'string', pattern: '^svm_[0-9A-Za-z]{16}$' },
  kind: {
    type: 'string',
    enum: [...savedMethodKinds],
    description: 'A debit takes days, and can come back after it was paid.',
  },
  brand: { type: ['string', 'null'], description: "The card's brand or the bank, if known." },
  last4: { type: ['string', 'null'], description: 'The last four digits, if known.' },
  expires: { type: ['string', 'null'], description: 'The month in which it expires, such as 2029-08.' },
  network: { type: 'string', description: 'The network that holds it. It can be charged there only.' },
  usable: { type: 'boolean', description: 'Whether you can charge it. Once false, it stays false.' },
}

export const shownMethodSchema: JsonSchema = {
  title: 'SavedMethodSummary',
  type: 'object',
  additionalProperties: false,
  required: Object.keys(savedMethodProperties),
  description: 'The method that this payment saved or was paid with.',
  properties: savedMethodProperties,
}

export const shownMethodExample = {
  id: 'svm_4f9Kq2LmZ8xT1bNc',
  kind: 'card',
  brand: 'Visa',
  last4: '4242',
  expires: '2029-08',
  network: 'test-network',
  usable: true,
}

/** Beyond code and message, for a charge of a saved method. */
const chargeFailureFields: Readonly<Record<string, JsonSchema>> = {
  reason: {
    type: 'string',
    enum: [...declineReasons],
    description: 'Only for a charge of a saved method, if more is known than code says.',
  },
  may_retry: {
    type: 'boolean',
    description:
      'Only for a charge of a saved method: whether you may charge the method again, with a new tx_ref.',
  },
  retry_after: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    description: 'Only for a charge of a saved method: charges before this time are refused.',
  },
}

export const failureSchema: JsonSchema = {
  title: 'PaymentFailure',
  type: 'object',
  additionalProperties: false,
  required: ['code', 'message'],
  description:
    'Why the last attempt was declined. Only while status is failed, and of a charge that waits for the customer.',
  properties: {
    code: { type: 'string', enum: [...declineReasons] },
    message: { type: 'string', description: 'The same as a sentence, for your staff and not for customers.' },
    ...chargeFailureFields,
  },
}
