import type { JsonSchema, Operation, Parameter } from '../../platform/http/openapi/openapi.ts'
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
} from '../../platform/http/openapi/described.ts'
import { endpointActs } from './endpoints/act-operations.ts'
import { listenerOperations } from './endpoints/listener-operations.ts'
import { endpointOperations, endpointShapes } from './endpoints/operations.ts'

// The calls about notifications, described for /openapi.json and the reference page.

const group = 'Notifications'
const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The webhook-id.',
  schema: { type: 'string', example: 'evt_Zk3yB0vKp2mQxw9T5cLhJd8S' },
}

const nullable = (type: string, description: string): JsonSchema => ({ type: [type, 'null'], description })

const attemptSchema: JsonSchema = {
  title: 'DeliveryAttempt',
  type: 'object',
  required: ['attempt', 'created_at', 'ms', 'http_status', 'error', 'answer'],
  properties: {
    attempt: { type: 'integer', minimum: 1 },
    created_at: { type: 'string', format: 'date-time' },
    ms: { type: 'integer', description: 'How long the answer took.' },
    http_status: nullable('integer', "Your server's HTTP status; null without an answer."),
    error: nullable('string', 'Why there was no answer: timeout, dns_failed, tls_failed …'),
    answer: nullable('string', 'The first 1 KiB of the answer.'),
  },
}

const notificationSchema: JsonSchema = {
  title: 'Notification',
  type: 'object',
  required: [
    'id',
    'kind',
    'event',
    'target',
    'status',
    'created_at',
    'finished_at',
    'next_try_at',
    'attempts',
  ],
  properties: {
    id: {
      type: 'string',
      description:
        "The webhook-id, the same on every attempt; for an endpoint, followed by a dot and the endpoint's id.",
    },
    kind: { type: 'string', enum: ['ipn', 'mail'] },
    event: { type: 'string', description: 'What happened.' },
    target: { type: 'string', description: 'The URL or the address.' },
    status: {
      type: 'string',
      enum: ['waiting', 'delivered', 'failed', 'paused', 'skipped', 'kept'],
      description:
        'paused: waits until you resume the receiver, or live mail waits for a mail server. skipped: mail over the daily limit. kept: a test notification without a callback_url, or mail that stays in the mailbox.',
    },
    created_at: { type: 'string', format: 'date-time' },
    finished_at: nullable('string', 'When it was delivered or given up.'),
    next_try_at: nullable('string', 'When the next attempt is due.'),
    attempts: { type: 'array', items: attemptSchema },
  },
}

const attemptExample = {
  attempt: 1,
  created_at: '2026-11-15T14:05:01.004000Z',
  ms: 38,
  http_status: 200,
  error: null,
  answer: 'ok',
}

const example = {
  id: 'evt_Zk3yB0vKp2mQxw9T5cLhJd8S',
  kind: 'ipn',
  event: 'payment.success',
  target: 'https://shop.example.com/ipn',
  status: 'delivered',
  created_at: '2026-11-15T14:05:00.981342Z',
  finished_at: '2026-11-15T14:05:01.042000Z',
  next_try_at: null,
  attempts: [attemptExample],
}

const sampleSchema: JsonSchema = {
  title: 'SampleResult',
  type: 'object',
  required: ['id', 'delivered', 'http_status', 'error', 'ms', 'answer'],
  properties: {
    id: { type: 'string' },
    delivered: { type: 'boolean' },
    http_status: nullable('integer', "Your server's HTTP status."),
    error: nullable('string', 'Why there was no answer.'),
    ms: { type: 'integer' },
    answer: nullable('string', 'The first 1 KiB of the answer.'),
  },
}

function done(message: string, data: JsonSchema, value: unknown): Operation['answers'][number] {
  return { status: 200, description: 'Done.', data, example: { status: 'success', message, data: value } }
}

const received = done('Sample received', sampleSchema, {
  id: example.id,
  delivered: true,
  http_status: 200,
  error: null,
  ms: 38,
  answer: 'ok',
})

const operations = (events: readonly string[]): readonly Operation[] => [
  {
    id: 'listNotifications',
    method: 'get',
    path: '/api/transaction/{tx_ref}/notifications',
    group,
    summary: 'List the notifications of a transaction',
    description: `Sent and scheduled notifications of a transaction, with every delivery attempt. ${listRules}`,
    key: 'secret',
    parameters: [txRefParameter, ...pageParameters],
    answers: [
      {
        status: 200,
        description: 'A page of notifications.',
        data: { type: 'array', items: notificationSchema },
        beside: cursorBeside,
        example: { status: 'success', message: 'Notifications', data: [example], ...onlyPage },
      },
      failures.rule,
      failures.unknown,
    ],
  },
  {
    id: 'resendNotification',
    method: 'post',
    path: '/api/transaction/{tx_ref}/notifications/{id}/resend',
    group,
    summary: 'Send a notification again',
    description: 'Sends the same bytes with the same webhook-id now, and restarts the retry schedule.',
    key: 'secret',
    parameters: [txRefParameter, idParameter],
    answers: [
      done(
        'Notification will be sent again',
        { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        { id: example.id },
      ),
      failures.rule,
      failures.unknown,
      failed(
        409,
        'The payment has no callback_url.',
        'no_callback_url',
        'This payment has no callback_url, so there is nowhere to send it',
      ),
    ],
  },
  {
    id: 'sendTestNotification',
    method: 'post',
    path: '/api/notifications/test',
    group,
    summary: 'Send a sample to your server',
    description:
      'A realistic signed notification, sent once, with a timeout of 8 seconds. The answer has the result.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        required: ['callback_url'],
        properties: {
          callback_url: url('Where to send it.'),
          event: { type: 'string', enum: [...events], description: 'Default: payment.success.' },
        },
      },
      example: { callback_url: 'https://shop.example.com/ipn', event: 'payment.success' },
    },
    answers: [received, failures.rule],
  },
  {
    id: 'resumeReceiver',
    method: 'post',
    path: '/api/notifications/resume',
    group,
    summary: 'Resume a paused receiver',
    description:
      'Florin pauses a URL after 120 hours of failures. This sends the notifications that have waited since.',
    key: 'secret',
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        required: ['origin'],
        properties: {
          origin: url(
            "The receiver's URL, such as your callback_url; a host alone means all receivers on it.",
          ),
        },
      },
      example: { origin: 'https://shop.example.com/ipn' },
    },
    answers: [
      done(
        'Receiver resumed',
        {
          type: 'object',
          required: ['origin', 'deliveries'],
          properties: { origin: { type: 'string' }, deliveries: { type: 'integer' } },
        },
        { origin: 'https://shop.example.com/ipn', deliveries: 12 },
      ),
      failures.rule,
      failures.unknown,
    ],
  },
]

/** `events`: the names of all. */
export function notificationOperations(events: readonly string[]): readonly Operation[] {
  const shapes = endpointShapes(events)
  return [
    ...operations(events),
    ...endpointOperations(shapes),
    ...endpointActs(shapes, received, events),
    ...listenerOperations(events),
  ].map(withCommonAnswers)
}
