import type { JsonSchema, Operation } from '../../../platform/http/openapi/openapi.ts'
import { failed, failures } from '../../../platform/http/openapi/described.ts'
import { done, endpointGroup } from './operations.ts'

// The calls of `florin listen`, described for /openapi.json and the reference page.

const notificationId = 'evt_Zk3yB0vKp2mQxw9T5cLhJd8S.ep_4kT9sQx2LmV7bNcR'
const nullable = (type: string, description: string): JsonSchema => ({ type: [type, 'null'], description })

const followedSchema: JsonSchema = {
  type: 'object',
  required: ['now', 'secret', 'notifications'],
  properties: {
    now: { type: 'string', format: 'date-time', description: "Florin's time, to send as the next since." },
    secret: { type: 'string', description: 'The secret that signs test notifications.' },
    notifications: {
      type: 'array',
      items: {
        title: 'SignedNotification',
        type: 'object',
        required: ['id', 'event', 'created_at', 'headers', 'body'],
        properties: {
          id: { type: 'string' },
          event: { type: 'string' },
          created_at: { type: 'string', format: 'date-time' },
          headers: {
            type: 'object',
            description: 'The headers to forward, signatures included.',
            additionalProperties: { type: 'string' },
          },
          body: { type: 'string', description: 'The exact bytes that are signed.' },
        },
      },
    },
  },
}

export const listenerOperations = (events: readonly string[]): readonly Operation[] => [
  {
    id: 'listenToNotifications',
    method: 'get',
    path: '/api/notifications/listen',
    group: 'Notifications',
    summary: 'Follow the notifications of test mode',
    description:
      'Used by florin listen: waits for notifications newer than since and returns them signed, with or without a callback_url. It marks nothing as delivered. It returns at most 100: continue from the last one, with its created_at as since and its id as after. Commits can arrive out of order, so look back a few seconds now and then.',
    key: 'secret',
    parameters: [
      {
        name: 'since',
        in: 'query',
        description: 'A time; default: now. Write the + of an offset as %2B.',
        schema: { type: 'string' },
      },
      {
        name: 'after',
        in: 'query',
        description: 'The id of the last notification you have that was created at since.',
        schema: { type: 'string', maxLength: 100 },
      },
      {
        name: 'wait',
        in: 'query',
        description: 'Seconds to wait, up to 25.',
        schema: { type: 'integer', maximum: 25 },
      },
      {
        name: 'endpoint',
        in: 'query',
        description:
          'The id that startListening returned. The call returns only its events, and extends the listener by a minute.',
        schema: { type: 'string' },
      },
    ],
    answers: [
      done(200, 'Notifications', followedSchema, {
        now: '2026-11-15T14:05:01.004Z',
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
        notifications: [],
      }),
      failures.rule,
      failed(
        404,
        'The listener has ended.',
        'not_found',
        'This listener has ended: start florin listen again',
      ),
    ],
  },
  {
    id: 'startListening',
    method: 'post',
    path: '/api/notifications/listen',
    group: endpointGroup,
    summary: 'Start listening',
    description:
      'The first call of florin listen: creates a test endpoint without a URL. Fetch its notifications with listenToNotifications. It ends when you delete it, or a minute after your last call. Up to five can run at once.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        properties: {
          events: {
            type: 'array',
            items: { type: 'string', enum: ['*', ...events] },
            description: 'The events it gets; default: all.',
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
            now: {
              type: 'string',
              format: 'date-time',
              description: "Florin's time, to send as the first since.",
            },
            secret: { type: 'string', description: 'The secret that signs test notifications.' },
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
        'Five listeners are already running.',
        'too_many_endpoints',
        'Five listeners are already running, the maximum: stop one first',
      ),
    ],
  },
  {
    id: 'reportListenerAnswer',
    method: 'post',
    path: '/api/notifications/listen/answer',
    group: endpointGroup,
    summary: 'Report the answer to a forwarded notification',
    description: 'Stored as a delivery attempt of the notification, which is then delivered or failed.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        required: ['endpoint', 'id'],
        properties: {
          endpoint: { type: 'string', description: 'The id of the listener.' },
          id: { type: 'string', description: 'The id of the notification.' },
          http_status: nullable('integer', 'The status of the answer.'),
          error: nullable('string', 'Why there was no answer.'),
          ms: { type: 'integer', description: 'How long it took.' },
        },
      },
      example: { endpoint: 'ep_4kT9sQx2LmV7bNcR', id: notificationId, http_status: 200, ms: 38 },
    },
    answers: [
      done(
        200,
        'Answer recorded',
        { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        { id: notificationId },
      ),
      failures.rule,
      failed(
        404,
        "The notification doesn't exist, or its answer was already reported.",
        'not_found',
        'Notification not found',
      ),
    ],
  },
]
