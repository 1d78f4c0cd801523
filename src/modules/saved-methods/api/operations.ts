import {
  cursorBeside,
  failed,
  failures,
  listRules,
  onlyPage,
  pageParameters,
  withCommonAnswers,
} from '../../../platform/http/openapi/described.ts'
import type { Operation, Parameter } from '../../../platform/http/openapi/openapi.ts'
import { transactionSchema } from '../../../core/payments/api/schemas.ts'
import { limits } from '../../../core/payments/limits.ts'
import {
  chargeBody,
  chargeExample,
  chargeRequestExample,
  methodIdPattern,
  savedMethodExample,
  savedMethodSchema,
} from './schemas.ts'

// Saved methods, described for /openapi.json and the reference page.

const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of the saved method, from saved_method.id of the transaction that saved it.',
  schema: { type: 'string', pattern: methodIdPattern, example: savedMethodExample.id },
}

const unknown = failed(
  404,
  'Unknown, of another merchant, or of the other mode.',
  'not_found',
  'Saved method not found',
)

const operations: readonly Operation[] = [
  {
    id: 'chargeSavedMethod',
    method: 'post',
    path: '/api/saved-methods/{id}/charges',
    group: 'Saved methods',
    summary: 'Charge a saved method without the customer',
    description:
      'Creates a transaction and charges it at once. status says how it went: success, failed with failure, or pending. A debit is pending for days. If the network’s answer is lost, Florin asks until it knows, and never charges again under another key: wait for payment.success or payment.failed. failure.code is declined (try again if may_retry, after retry_after), needs_customer (status stays pending: send the customer to checkout_url), method_ended (never charge it again) or network_silent (nothing was charged). To try again, send a new tx_ref.',
    key: 'secret',
    parameters: [idParameter],
    body: { type: 'application/json', schema: chargeBody, example: chargeRequestExample },
    answers: [
      {
        status: 202,
        description: 'Accepted, or accepted before with the same tx_ref: the transaction as it is now.',
        headers: { 'idempotency-replayed': 'true: this request did nothing.' },
        data: transactionSchema,
        example: { status: 'success', message: 'Charge accepted', data: chargeExample },
      },
      failures.rule,
      unknown,
      failed(
        409,
        'The tx_ref belongs to another payment.',
        'tx_ref_taken',
        'tx_ref has been used before for another payment: choose another',
      ),
      failed(
        409,
        'Ended by you, the customer or the network, or the network account was removed.',
        'method_ended',
        'This saved method has ended, so it can no longer be charged',
      ),
      failed(
        409,
        'A charge was declined, and its retry_after is not over.',
        'retry_too_early',
        'The last charge was declined: try again after 2026-11-16T10:00:00.000Z',
      ),
      failed(
        409,
        "The customer's limit, your ceiling per day, 20 charges a day, or 15 tries in 30 days without success.",
        'charge_limit',
        'This charge would exceed a daily ceiling',
      ),
      failed(
        409,
        'You stopped all charges of saved methods.',
        'charges_stopped',
        'Charges of saved methods are stopped for this account: an owner can allow them in Settings, Saved methods',
      ),
    ],
  },
  {
    id: 'listSavedMethods',
    method: 'get',
    path: '/api/saved-methods',
    group: 'Saved methods',
    summary: 'List saved methods',
    description: `Including ended ones. ${listRules}`,
    key: 'secret',
    parameters: [
      {
        name: 'customer_ref',
        in: 'query',
        description: 'Only of this customer: your own name for them, as sent with save.',
        schema: { type: 'string', maxLength: limits.customerRef },
      },
      ...pageParameters,
    ],
    answers: [
      {
        status: 200,
        description: 'The saved methods.',
        data: { type: 'array', items: savedMethodSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Saved methods', data: [savedMethodExample], ...onlyPage },
      },
      failures.rule,
    ],
  },
  {
    id: 'findSavedMethod',
    method: 'get',
    path: '/api/saved-methods/{id}',
    group: 'Saved methods',
    summary: 'Look a saved method up',
    description: 'usable says whether you can charge it.',
    key: 'secret',
    parameters: [idParameter],
    answers: [
      {
        status: 200,
        description: 'Found.',
        data: savedMethodSchema,
        example: { status: 'success', message: 'Saved method details', data: savedMethodExample },
      },
      unknown,
    ],
  },
  {
    id: 'endSavedMethod',
    method: 'delete',
    path: '/api/saved-methods/{id}',
    group: 'Saved methods',
    summary: 'End a saved method',
    description:
      'It can never be charged again, and Florin ends it at the network, too. A charge accepted before may still finish. Ending it twice is no mistake.',
    key: 'secret',
    parameters: [idParameter],
    answers: [
      {
        status: 200,
        description: 'Ended.',
        data: savedMethodSchema,
        example: {
          status: 'success',
          message: 'Saved method ended',
          data: {
            ...savedMethodExample,
            usable: false,
            ended_at: '2026-11-17T09:00:00.123456Z',
            ended_by: 'merchant',
          },
        },
      },
      unknown,
    ],
  },
]

export const savedMethodOperations: readonly Operation[] = operations.map(withCommonAnswers)
