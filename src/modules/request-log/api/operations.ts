import { failures, withCommonAnswers } from '../../../platform/http/openapi/described.ts'
import type { Operation } from '../../../platform/http/openapi/openapi.ts'
import { warningsMax } from '../../../platform/input/unknown-fields.ts'
import { waitMaxSeconds } from './follow-warnings.ts'

const request = {
  at: '2026-11-15T14:05:00.123Z',
  request_id: 'req_7YbK2mQ0sVfXw1Lc',
  method: 'POST',
  path: '/api/payment',
  warnings: ['returnUrl was ignored: did you mean return_url?'],
}
const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }

export const requestOperations: readonly Operation[] = [
  withCommonAnswers({
    id: 'followWarnings',
    method: 'get',
    path: '/api/notifications/listen/warnings',
    group: 'Payments',
    summary: 'Follow warnings about ignored fields',
    description:
      'Used by florin listen: waits for requests of your programs and forms that got warnings, oldest first, at most 20. It reads the request log, a few seconds behind.',
    key: 'secret',
    parameters: [
      {
        name: 'since',
        in: 'query',
        description: 'A time, such as since of the last answer; default: now.',
        schema: text,
      },
      {
        name: 'wait',
        in: 'query',
        description: 'Seconds to wait.',
        schema: { type: 'integer', maximum: waitMaxSeconds },
      },
    ],
    answers: [
      {
        status: 200,
        description: 'What was found.',
        data: {
          type: 'object',
          required: ['since', 'requests'],
          properties: {
            since: { ...time, description: 'Send it with the next call.' },
            requests: {
              type: 'array',
              items: {
                title: 'WarnedRequest',
                type: 'object',
                required: Object.keys(request),
                properties: {
                  at: time,
                  request_id: text,
                  method: text,
                  path: text,
                  warnings: { type: 'array', maxItems: warningsMax, items: text },
                },
              },
            },
          },
        },
        example: {
          status: 'success',
          message: 'Warnings',
          data: { since: '2026-11-15T14:05:01.004Z', requests: [request] },
        },
      },
      failures.rule,
    ],
  }),
]
