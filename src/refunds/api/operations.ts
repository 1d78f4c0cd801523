import { csvLine } from '../../http/csv/csv-line.ts'
import {
  cursorBeside,
  failed,
  failures,
  listRules,
  onlyPage,
  pageParameters,
  txRefParameter,
  withCommonAnswers,
} from '../../http/openapi/described.ts'
import type { JsonSchema, Operation, Parameter } from '../../http/openapi/openapi.ts'
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
  query('created_from', 'From this time on. The + of an offset is written %2B.', { type: 'string' }),
  query('created_to', 'Before this time. The + of an offset is written %2B.', { type: 'string' }),
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
      'All or part of a payment whose status is success, as often as something is left. The answer says how far it got: the money went back when status says success. A network that has to think, or whose answer was lost, is asked until it is known; refund.success or refund.failed follows. When your own call gets no answer, send it again with the same refund_ref.',
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
        description: 'Asked for before, with the same refund_ref and amount: this is how it stands.',
        headers: { 'idempotency-replayed': 'true: nothing was done this time.' },
        data: refundSchema,
        example: { status: 'success', message: 'Refund requested', data: refundExample },
      },
      failures.rule,
      failed(
        403,
        'The key was made without the right to refund.',
        'refund_not_allowed',
        "This key can't refund: use one that may",
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
        'The payment is not paid, is refunded, was taken back by its bank or is disputed.',
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
    description: `Also the ones that failed. ${listRules}`,
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
      'The envelope says success because the look-up worked. Whether money went back is data.status.',
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
      'All that the list would show for the same filters, newest first, as one file, written as the export of transactions is.',
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
