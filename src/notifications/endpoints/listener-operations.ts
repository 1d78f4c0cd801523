import type { JsonSchema, Operation } from '../../http/openapi/openapi.ts'
import { failed, failures } from '../../http/openapi/described.ts'
import { ipnEvents } from '../events.ts'
import { done, endpointGroup } from './operations.ts'

// What `florin listen` asks, described for /openapi.json and the reference page.

const notificationId = 'evt_Zk3yB0vKp2mQxw9T5cLhJd8S.ep_4kT9sQx2LmV7bNcR'
const nullable = (type: string, description: string): JsonSchema => ({ type: [type, 'null'], description })

export const listenerOperations: readonly Operation[] = [
  {
    id: 'startListening',
    method: 'post',
    path: '/api/notifications/listen',
    group: endpointGroup,
    summary: 'Begin to listen',
    description:
      'What florin listen begins with: an endpoint of test mode that nobody calls. Fetch its notifications with listenToNotifications. It ends when you delete it, or a minute after you last asked. Five may listen at once.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        properties: {
          events: {
            type: 'array',
            items: { type: 'string', enum: ['*', ...ipnEvents] },
            description: 'What it hears of; all when left out.',
          },
        },
      },
      example: { events: ['*'] },
    },
    answers: [
      done(
        201,
        'Listening',
        {
          type: 'object',
          required: ['now', 'secret', 'endpoint'],
          properties: {
            now: { type: 'string', format: 'date-time', description: 'Our time, for the first since.' },
            secret: { type: 'string', description: 'What notifications of test mode are signed with.' },
            endpoint: {
              type: 'object',
              required: ['id', 'status'],
              properties: { id: { type: 'string' }, status: { type: 'string' } },
            },
          },
        },
        {
          now: '2026-11-15T14:05:01.004Z',
          secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
          endpoint: { id: 'ep_4kT9sQx2LmV7bNcR', status: 'listening' },
        },
      ),
      failures.rule,
      failed(
        409,
        'Five listen already.',
        'too_many_endpoints',
        'Five florin listen run already, and no more can: stop one first',
      ),
    ],
  },
  {
    id: 'reportAnswer',
    method: 'post',
    path: '/api/notifications/listen/answer',
    group: endpointGroup,
    summary: 'Report what a forwarded notification was answered',
    description: 'It is kept as a try of the notification, which is then delivered or failed.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        required: ['endpoint', 'id'],
        properties: {
          endpoint: { type: 'string', description: 'The id of the listener.' },
          id: { type: 'string', description: 'The id of the notification.' },
          status: nullable('integer', 'The status of the answer.'),
          error: nullable('string', 'Why there was none.'),
          ms: { type: 'integer', description: 'How long it took.' },
        },
      },
      example: { endpoint: 'ep_4kT9sQx2LmV7bNcR', id: notificationId, status: 200, ms: 38 },
    },
    answers: [
      done(
        200,
        'Answer recorded',
        { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        { id: notificationId },
      ),
      failures.rule,
      failed(404, 'No such notification, or it was answered before.', 'not_found', 'Notification not found'),
    ],
  },
]
