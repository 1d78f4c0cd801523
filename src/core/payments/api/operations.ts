import type { JsonSchema, Operation, Parameter } from '../../../platform/http/openapi/openapi.ts'
import {
  cursorBeside,
  failed,
  failures,
  listRules,
  onlyPage,
  pageParameters,
  txRefParameter,
  urlSchema as url,
  withCommonAnswers,
} from '../../../platform/http/openapi/described.ts'
import { limits } from '../limits.ts'
import {
  createBody,
  linkSchema,
  paymentFields,
  requestExample,
  transactionExample,
  transactionSchema,
} from './schemas.ts'
import { formRefusalExample, formRefusalSchema } from './form-refusal-schema.ts'
import { listMeta } from '../list-totals/list-totals-schema.ts'
import { accountOperation } from './account-operation.ts'
import { exportOperation } from './export-operation.ts'
import { paymentStates } from '../state-machine.ts'

// Group A, described for /openapi.json and the reference page.

const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})

const listFilters: readonly Parameter[] = [
  query('tx_ref', 'Only the transaction with this tx_ref.', {
    type: 'string',
    maxLength: limits.txRef,
  }),
  query('status', 'Only this status.', { type: 'string', enum: [...paymentStates] }),
  query('currency', 'Only this currency.', { type: 'string', pattern: '^[A-Za-z]{3}$' }),
  query('email', "Only this customer's, ignoring case.", {
    type: 'string',
    pattern: '^[^\\s@]+@[^\\s@]+$',
    maxLength: limits.email,
  }),
  query('created_from', 'From this time on. Write the + of an offset as %2B.', { type: 'string' }),
  query('created_to', 'Before this time. Write the + of an offset as %2B.', { type: 'string' }),
  query('project', "Only this project's, by id or name, even if it was deleted.", {
    type: 'string',
    maxLength: 255,
  }),
]

const operations: readonly Operation[] = [
  {
    id: 'createPayment',
    method: 'post',
    path: '/api/payment',
    group: 'Payments',
    summary: 'Create a payment link',
    description:
      'Send the customer to the returned checkout_url. A body without a content type is read as JSON; forms are taken too, as customization[title] and meta[key].',
    key: 'secret',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'For 24 hours, the same key with the same body returns the first answer, byte for byte.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    body: { type: 'application/json', schema: createBody, example: requestExample },
    answers: [
      {
        status: 201,
        description: 'Created.',
        headers: { 'idempotency-replayed': 'true when this is a repeat of the first answer.' },
        data: linkSchema,
        example: {
          status: 'success',
          message: 'Payment link created',
          data: { checkout_url: transactionExample.checkout_url },
        },
      },
      failures.rule,
      failures.refTaken,
      failures.otherBody,
    ],
  },
  {
    id: 'findTransaction',
    method: 'get',
    path: '/api/transaction/{tx_ref}',
    group: 'Payments',
    summary: 'Look a transaction up',
    description:
      'The envelope says success because the look-up worked. Whether money moved is data.status: deliver only when that says success, and compare amount and currency with your order. With a key of the dialect family the envelope says failed unless data.status is success.',
    key: 'secret',
    parameters: [txRefParameter],
    answers: [
      {
        status: 200,
        description: 'Found.',
        data: transactionSchema,
        sometimes: {
          status: {
            type: 'string',
            enum: ['success', 'failed'],
            description: 'failed only with a key of the dialect family, for a payment that is not paid.',
          },
        },
        example: { status: 'success', message: 'Payment details', data: transactionExample },
      },
      failures.rule,
      failures.unknown,
    ],
  },
  {
    id: 'listTransactions',
    method: 'get',
    path: '/api/transactions',
    group: 'Payments',
    summary: 'List transactions',
    description: listRules,
    key: 'secret',
    parameters: [
      ...listFilters,
      query('totals', 'true: meta.totals has the totals of the whole list, up to 100,000 payments.', {
        type: 'boolean',
        default: false,
      }),
      ...pageParameters,
    ],
    answers: [
      {
        status: 200,
        description: 'A page of transactions.',
        data: { type: 'array', items: transactionSchema },
        beside: { ...cursorBeside, meta: listMeta },
        example: {
          status: 'success',
          message: 'Transactions',
          data: [transactionExample],
          ...onlyPage,
        },
      },
      failures.rule,
    ],
  },
  exportOperation(listFilters),
  accountOperation,
  {
    id: 'cancelTransaction',
    method: 'post',
    path: '/api/transaction/{tx_ref}/cancel',
    group: 'Payments',
    summary: 'Cancel a payment',
    description: 'Only while it is pending and no attempt is in progress.',
    key: 'secret',
    parameters: [txRefParameter],
    answers: [
      {
        status: 200,
        description: 'Cancelled.',
        data: transactionSchema,
        example: {
          status: 'success',
          message: 'Payment cancelled',
          data: { ...transactionExample, status: 'cancelled', checkout_url: undefined },
        },
      },
      failures.rule,
      failures.unknown,
      failed(
        409,
        'It is no longer pending, or an attempt is in progress.',
        'not_cancellable',
        'This payment was paid and can no longer be cancelled',
      ),
    ],
  },
  {
    id: 'startFromForm',
    method: 'post',
    path: '/ext_transfer',
    group: 'Payments',
    summary: 'Start a payment from a web form',
    description:
      "Sent by the customer's browser. Use a form key (fk_…) rather than a secret key: everyone who opens the page can read the key. With a key that takes signed forms only, no one can change an amount or use up a tx_ref.",
    key: 'in the form',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        title: 'PaymentForm',
        type: 'object',
        required: ['secret_key', 'tx_ref', 'currency', 'first_name'],
        properties: {
          secret_key: { type: 'string', description: 'A form key, or a secret key.' },
          ...paymentFields,
          tx_ref: { ...paymentFields.tx_ref, type: 'string' },
          amount: { ...paymentFields.amount, type: 'string' },
          title: {
            type: 'string',
            maxLength: limits.title,
            description:
              'With description, logo and items: ignored unless the form is signed or its key allows them.',
          },
          description: { type: 'string', maxLength: limits.description },
          logo: url('A picture.'),
          meta: {
            type: 'string',
            description: 'Empty, a JSON object as text, or inputs such as meta[key] and meta[key][inner].',
          },
          items: {
            type: 'string',
            description:
              'Empty, the list of POST /api/payment as JSON text, or inputs such as items[0][name]. Signed forms take JSON text only.',
          },
          form_signature: {
            type: 'string',
            pattern: '^[0-9a-fA-F]{64}$',
            description: 'For keys that take signed forms only: HMAC-SHA256 of the fields, in hex.',
          },
          form_signed: {
            type: 'string',
            description: 'Which of email, first_name and last_name are signed too, separated by spaces.',
          },
        },
      },
      example: {
        ...requestExample,
        secret_key: 'fk_test_…',
        customization: undefined,
        title: 'Order 1001',
        meta: '',
      },
    },
    answers: [
      { status: 200, description: 'The checkout page, for clients that follow the 303.' },
      { status: 303, description: 'To the checkout page.', headers: { location: 'The checkout_url.' } },
      failures.rule,
      failures.refTaken,
    ],
  },
  {
    id: 'listFormRefusals',
    method: 'get',
    path: '/api/form-refusals',
    group: 'Payments',
    summary: 'List refused web forms',
    description: `Errors that customers saw when a form was refused: the newest 100 in your key's mode. ${listRules}`,
    key: 'secret',
    parameters: pageParameters,
    answers: [
      {
        status: 200,
        description: 'The refusals.',
        data: { type: 'array', items: formRefusalSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Form refusals', data: [formRefusalExample], ...onlyPage },
      },
      failures.rule,
    ],
  },
]

export const paymentOperations: readonly Operation[] = operations.map(withCommonAnswers)
