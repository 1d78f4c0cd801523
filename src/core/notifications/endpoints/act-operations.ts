import type { Answer, Operation } from '../../../platform/http/openapi/openapi.ts'
import { failed, failures } from '../../../platform/http/openapi/described.ts'
import {
  done,
  endpointGroup,
  example,
  idParameter,
  secretExample,
  secretSchema,
  unknown,
  type EndpointShapes,
} from './operations.ts'

// What can be done with an endpoint, described like the rest in operations.ts.

const acts = ({ endpoint }: EndpointShapes): readonly Operation[] => [
  {
    id: 'pauseEndpoint',
    method: 'post',
    path: '/api/endpoints/{id}/pause',
    group: endpointGroup,
    summary: 'Pause an endpoint',
    description: 'Notifications to its URL wait until you resume it. Nothing is lost.',
    key: 'secret',
    parameters: [idParameter],
    answers: [
      done(200, 'Endpoint paused', endpoint, {
        ...example,
        status: 'paused',
        paused_at: '2026-11-16T09:00:00.000000Z',
      }),
      unknown,
    ],
  },
  {
    id: 'resumeEndpoint',
    method: 'post',
    path: '/api/endpoints/{id}/resume',
    group: endpointGroup,
    summary: 'Resume an endpoint',
    description: 'Sends the waiting notifications, from the start of the retry schedule.',
    key: 'secret',
    parameters: [idParameter],
    answers: [done(200, 'Endpoint resumed', endpoint, example), unknown],
  },
  {
    id: 'rollEndpointSecret',
    method: 'post',
    path: '/api/endpoints/{id}/roll-secret',
    group: endpointGroup,
    summary: 'Roll the secret of an endpoint',
    description: 'Until the overlap ends, notifications carry a signature for each secret.',
    key: 'secret',
    parameters: [idParameter],
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        properties: {
          overlap_hours: {
            type: 'number',
            minimum: 0,
            maximum: 72,
            default: 24,
            description: 'How long the old secret keeps signing.',
          },
        },
      },
      example: { overlap_hours: 24 },
    },
    answers: [
      done(
        200,
        'Secret rolled',
        {
          type: 'object',
          required: ['id', 'secret'],
          properties: { id: { type: 'string' }, secret: secretSchema },
        },
        { id: example.id, secret: secretExample },
      ),
      failed(400, 'A rule failed.', 'validation_failed', 'overlap_hours must be 0 to 72', {
        overlap_hours: ['overlap_hours must be 0 to 72'],
      }),
      unknown,
    ],
  },
]

/** `sample`: what a test call answers. */
export function endpointActs(
  shapes: EndpointShapes,
  sample: Answer,
  events: readonly string[],
): readonly Operation[] {
  const test: Operation = {
    id: 'testEndpoint',
    method: 'post',
    path: '/api/endpoints/{id}/test',
    group: endpointGroup,
    summary: 'Send a sample to an endpoint',
    description:
      'Signed with its secret and sent once, with a timeout of 8 seconds, even while the endpoint is paused. The answer has the result.',
    key: 'secret',
    parameters: [idParameter],
    body: {
      type: 'application/json',
      schema: {
        type: 'object',
        properties: {
          event: { type: 'string', enum: [...events], description: 'Default: payment.success.' },
        },
      },
      example: { event: 'payment.success' },
    },
    answers: [sample, failures.rule, unknown],
  }
  return [...acts(shapes), test]
}
