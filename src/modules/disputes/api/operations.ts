import {
  cursorBeside,
  failed,
  failures,
  listRules,
  onlyPage,
  pageParameters,
  withCommonAnswers,
} from '../../../platform/http/openapi/described.ts'
import type { JsonSchema, Operation } from '../../../platform/http/openapi/openapi.ts'
import {
  disputeExample,
  disputeProperties,
  disputeRequired,
} from '../../../core/payments/api/dispute-schema.ts'
import { disputeStates } from '../../../core/payments/disputed/dispute-view.ts'
import { limits } from '../../../core/payments/limits.ts'

// Disputes, described for /openapi.json and the reference page.

export const listedDisputeSchema: JsonSchema = {
  title: 'ListedDispute',
  type: 'object',
  additionalProperties: false,
  required: [...disputeRequired, 'tx_ref', 'mode', 'network'],
  properties: {
    ...disputeProperties,
    tx_ref: { type: 'string', description: 'Of the disputed payment.' },
    mode: { type: 'string', enum: ['test', 'live'] },
    network: { type: 'string', description: 'The network the dispute is at.' },
  },
}

const listedExample = { ...disputeExample, tx_ref: 'order-1001', mode: 'live', network: 'stripe' }

const operations: readonly Operation[] = [
  {
    id: 'listDisputes',
    method: 'get',
    path: '/api/disputes',
    group: 'Disputes',
    summary: 'List disputes',
    description: listRules,
    key: 'secret',
    parameters: [
      {
        name: 'status',
        in: 'query',
        description: 'Only this status.',
        schema: { type: 'string', enum: [...disputeStates] },
      },
      {
        name: 'tx_ref',
        in: 'query',
        description: 'Only disputes of this payment.',
        schema: { type: 'string', maxLength: limits.txRef },
      },
      ...pageParameters,
    ],
    answers: [
      {
        status: 200,
        description: 'A page of disputes.',
        data: { type: 'array', items: listedDisputeSchema },
        beside: cursorBeside,
        example: {
          status: 'success',
          message: 'Disputes',
          data: [listedExample],
          ...onlyPage,
        },
      },
      failures.rule,
    ],
  },
  {
    id: 'findDispute',
    method: 'get',
    path: '/api/disputes/{id}',
    group: 'Disputes',
    summary: 'Look a dispute up',
    description: 'The current state. The envelope says success because the look-up worked.',
    key: 'secret',
    parameters: [
      {
        name: 'id',
        in: 'path',
        description: "The dispute's id, as in the look-up of its payment and in every event.",
        schema: { type: 'string', minLength: 1 },
      },
    ],
    answers: [
      {
        status: 200,
        description: 'Found.',
        data: listedDisputeSchema,
        example: { status: 'success', message: 'Dispute details', data: listedExample },
      },
      failures.rule,
      failed(404, 'Unknown, of another merchant, or of the other mode.', 'not_found', 'Dispute not found'),
    ],
  },
]

export const disputeOperations: readonly Operation[] = operations.map(withCommonAnswers)
