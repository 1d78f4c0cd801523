import { csvLine } from '../../../platform/http/csv/csv-line.ts'
import {
  cursorBeside,
  failed,
  failures,
  listRules,
  onlyPage,
  pageParameters,
  txRefParameter,
  withCommonAnswers,
} from '../../../platform/http/openapi/described.ts'
import type { JsonSchema, Operation, Parameter } from '../../../platform/http/openapi/openapi.ts'
import { refundColumns } from '../export-refunds.ts'
import { refundStatuses } from '../state-machine.ts'
import { refundLimits } from './read-refund.ts'
import { refundBody, refundExample, refundRequestExample, refundSchema } from './schemas.ts'

// Refunds, described for /openapi.json and the reference page.

const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})

const exampleRow: readonly (string | number)[] = [
  'return-77',
  'order-1001',
  'FLRN7E6AFM3XJF',
  'success',
  'test',
  'GBP',
  '34.50',
  3_450,
  '0.00',
  0,
  'Damaged',
  '',
  '2026-11-15T14:05:00.123456Z',
  '2026-11-15T14:05:01.654321Z',
]

const filters: readonly Parameter[] = [
  query('tx_ref', 'Only of this payment of yours.', { type: 'string', maxLength: 255 }),
  query('status', 'Only this status.', { type: 'string', enum: [...refundStatuses] }),
  query('created_from', 'From this time on. Write the + of an offset as %2B.', { type: 'string' }),
  query('created_to', 'Before this time. Write the + of an offset as %2B.', { type: 'string' }),
]

const refundRefParameter: Parameter = {
  name: 'refund_ref',
  in: 'path',
  description: 'Your reference of the refund, percent-encoded.',
  schema: { type: 'string', maxLength: refundLimits.refundRef, example: 'return-77' },
}

const operations: readonly Operation[] = [
  {
    id: 'refundTransaction',
    method: 'post',
    path: '/api/transaction/{tx_ref}/refund',
    group: 'Refunds',
    summary: 'Give money back',
    description:
      'Refund all or part of a payment whose status is success. You can refund several times until nothing is left. The money has been sent back when status is success. If the network needs time or its answer is lost, Florin keeps checking and then sends refund.success or refund.failed. If you get no answer, send the request again with the same refund_ref.',
    key: 'secret',
    parameters: [txRefParameter],
    body: { type: 'application/json', schema: refundBody, example: refundRequestExample },
    answers: [
      {
        status: 201,
        description: 'Asked for.',
        data: refundSchema,
        example: { status: 'success', message: 'Refund requested', data: refundExample },
      },
      {
        status: 200,
        description: 'Already requested with the same refund_ref and amount: its current state.',
        headers: { 'idempotency-replayed': 'true: this request did nothing.' },
        data: refundSchema,
        example: { status: 'success', message: 'Refund requested', data: refundExample },
      },
      failures.rule,
      failed(
        403,
        'The key was created without permission to refund.',
        'refund_not_allowed',
        "This key isn't allowed to refund: use a key that is",
      ),
      failures.unknown,
      failed(
        409,
        'The refund_ref was used before for another amount or transaction.',
        'refund_ref_taken',
        'refund_ref was used before for another amount: 10.00',
      ),
      failed(
        409,
        'The payment is not paid, already refunded, reversed by its bank or disputed.',
        'not_refundable',
        'All of this payment is refunded',
      ),
      failed(
        409,
        'More than is left.',
        'more_than_left',
        'Only 1,000.00 GBP of this payment is left to refund',
      ),
    ],
  },
  {
    id: 'listRefundsOfTransaction',
    method: 'get',
    path: '/api/transaction/{tx_ref}/refunds',
    group: 'Refunds',
    summary: 'List the refunds of a transaction',
    description: `Including failed refunds. ${listRules}`,
    key: 'secret',
    parameters: [txRefParameter, ...filters.filter(({ name }) => name !== 'tx_ref'), ...pageParameters],
    answers: [
      {
        status: 200,
        description: 'A page of refunds.',
        data: { type: 'array', items: refundSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Refunds', data: [refundExample], ...onlyPage },
      },
      failures.rule,
      failures.unknown,
    ],
  },
  {
    id: 'findRefund',
    method: 'get',
    path: '/api/refunds/{refund_ref}',
    group: 'Refunds',
    summary: 'Look a refund up',
    description:
      'The envelope says success because the look-up worked. data.status says whether the money was sent back.',
    key: 'secret',
    parameters: [refundRefParameter],
    answers: [
      {
        status: 200,
        description: 'Found.',
        data: refundSchema,
        example: {
          status: 'success',
          message: 'Refund details',
          data: {
            ...refundExample,
            history: [
              { at: refundExample.created_at, status: 'requested' },
              { at: refundExample.updated_at, status: 'success' },
            ],
          },
        },
      },
      failures.rule,
      failed(404, 'Unknown, of another merchant, or of the other mode.', 'not_found', 'Refund not found'),
    ],
  },
  {
    id: 'exportRefunds',
    method: 'get',
    path: '/api/refunds.csv',
    group: 'Refunds',
    summary: 'Export refunds as CSV',
    description:
      'Everything the list shows for the same filters, newest first, as one file in the format of the transaction export.',
    key: 'secret',
    parameters: filters,
    answers: [
      {
        status: 200,
        description: 'The file.',
        file: 'text/csv',
        example: csvLine(refundColumns) + csvLine(exampleRow),
        headers: { 'content-disposition': 'attachment, with the name of the file.' },
      },
      failures.rule,
    ],
  },
  {
    id: 'listRefunds',
    method: 'get',
    path: '/api/refunds',
    group: 'Refunds',
    summary: 'List refunds',
    description: listRules,
    key: 'secret',
    parameters: [...filters, ...pageParameters],
    answers: [
      {
        status: 200,
        description: 'A page of refunds.',
        data: { type: 'array', items: refundSchema },
        beside: cursorBeside,
        example: {
          status: 'success',
          message: 'Refunds',
          data: [refundExample],
          ...onlyPage,
        },
      },
      failures.rule,
    ],
  },
]

export const refundOperations: readonly Operation[] = operations.map(withCommonAnswers)
