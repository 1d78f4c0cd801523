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
import { payoutStates } from '../state-machine.ts'
import {
  balanceExample,
  balancesSchema,
  lineExample,
  lineSchema,
  notReportedExample,
  payoutDetailsSchema,
  payoutExample,
  payoutSchema,
} from './schemas.ts'

// Payouts and balances, described for /openapi.json and the reference page.

const unknown = failed(
  404,
  'Unknown, of another merchant, or of the other mode.',
  'not_found',
  'Payout not found',
)

const id: Parameter = {
  name: 'id',
  in: 'path',
  description: "The payout's id, as in the list and in every event.",
  schema: { type: 'string', minLength: 1 },
}

const history = [
  { at: '2026-11-18T00:02:14.201000Z', status: 'on_its_way', failure: null },
  { at: payoutExample.updated_at, status: 'arrived', failure: null },
]

const operations: readonly Operation[] = [
  {
    id: 'listPayouts',
    method: 'get',
    path: '/api/payouts',
    group: 'Payouts',
    summary: 'List payouts',
    description: listRules,
    key: 'secret',
    parameters: [
      {
        name: 'status',
        in: 'query',
        description: 'Only this status.',
        schema: { type: 'string', enum: [...payoutStates] },
      },
      ...pageParameters,
    ],
    answers: [
      {
        status: 200,
        description: 'A page of payouts.',
        data: { type: 'array', items: payoutSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Payouts', data: [payoutExample], ...onlyPage },
      },
      failures.rule,
    ],
  },
  {
    id: 'payOutNow',
    method: 'post',
    path: '/api/payouts',
    group: 'Payouts',
    summary: 'Pay out now, in test mode',
    description:
      'The test network pays out everything it holds, as it does every night. The payout is on its way after a minute and arrives after two; an amount that ends in 13 is refused by the bank.',
    key: 'secret',
    answers: [
      {
        status: 200,
        description: 'The new payouts, one per currency. Empty if the network holds nothing.',
        data: { type: 'array', items: payoutSchema },
        example: {
          status: 'success',
          message: 'Payouts',
          data: [{ ...payoutExample, mode: 'test', network: 'test-network', status: 'announced' }],
        },
      },
      failures.rule,
    ],
  },
  {
    id: 'findPayout',
    method: 'get',
    path: '/api/payouts/{id}',
    group: 'Payouts',
    summary: 'Look a payout up',
    description: 'The current state. The envelope says success because the look-up worked.',
    key: 'secret',
    parameters: [id],
    answers: [
      {
        status: 200,
        description: 'Found.',
        data: payoutDetailsSchema,
        example: { status: 'success', message: 'Payout details', data: { ...payoutExample, history } },
      },
      failures.rule,
      unknown,
    ],
  },
  {
    id: 'listPayoutLines',
    method: 'get',
    path: '/api/payouts/{id}/lines',
    group: 'Payouts',
    summary: 'List the lines of a payout',
    description: `Every booking in the payout. net_minor of all lines adds up to its amount_minor. The list is empty until the payout says lines: complete, and never changes after that. ${listRules.replace('Newest first', 'Oldest first')}`,
    key: 'secret',
    parameters: [id, ...pageParameters],
    answers: [
      {
        status: 200,
        description: 'A page of lines.',
        data: { type: 'array', items: lineSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Payout lines', data: [lineExample], ...onlyPage },
      },
      failures.rule,
      unknown,
    ],
  },
  {
    id: 'findBalance',
    method: 'get',
    path: '/api/balance',
    group: 'Payouts',
    summary: 'Look your balance up',
    description:
      'What your networks hold for you, and what is on its way, from the bookings that Florin copied.',
    key: 'secret',
    answers: [
      {
        status: 200,
        description: 'The balance.',
        data: balancesSchema,
        example: {
          status: 'success',
          message: 'Balance',
          data: { balances: [balanceExample], not_reported: [notReportedExample] },
        },
      },
      failures.rule,
    ],
  },
]

export const payoutOperations: readonly Operation[] = operations.map(withCommonAnswers)
