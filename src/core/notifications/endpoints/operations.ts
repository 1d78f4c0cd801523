import type { Answer, JsonSchema, Operation, Parameter } from '../../../platform/http/openapi/openapi.ts'
import {
  cursorBeside,
  failed,
  listRules,
  onlyPage,
  pageParameters,
  urlSchema,
} from '../../../platform/http/openapi/described.ts'

// Endpoints, described for /openapi.json and the reference page.

export const endpointGroup = 'Endpoints'

export const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of the endpoint.',
  schema: { type: 'string', example: 'ep_4kT9sQx2LmV7bNcR' },
}

export const secretSchema: JsonSchema = {
  type: 'string',
  description: 'The secret that signs notifications to this endpoint. Shown once.',
}

const before = {
  id: { type: 'string' },
  url: { type: ['string', 'null'], description: 'Its URL; null for a running florin listen.' },
  description: { type: 'string', description: 'Your own note.' },
} satisfies Record<string, JsonSchema>

const after = {
  mode: { type: 'string', enum: ['test', 'live'] },
  status: {
    type: 'string',
    enum: ['active', 'failing', 'paused', 'listening'],
    description:
      'Whether its URL works. failing: the last attempts failed. paused: notifications wait until you resume it; Florin pauses a URL after 120 hours of failures.',
  },
  failing_since: { type: ['string', 'null'], format: 'date-time' },
  paused_at: { type: ['string', 'null'], format: 'date-time' },
  created_at: { type: 'string', format: 'date-time' },
} satisfies Record<string, JsonSchema>

export type EndpointShapes = ReturnType<typeof endpointShapes>

/** `events`: the names of all. */
export function endpointShapes(events: readonly string[]) {
  const eventsSchema: JsonSchema = {
    type: 'array',
    items: { type: 'string', enum: ['*', ...events] },
    description: 'The events it gets. * alone means all, including events added later.',
  }
  const properties = { ...before, events: eventsSchema, ...after }
  const endpoint: JsonSchema = {
    title: 'Endpoint',
    type: 'object',
    required: Object.keys(properties),
    properties,
  }
  const created: JsonSchema = {
    title: 'CreatedEndpoint',
    type: 'object',
    required: [...Object.keys(properties), 'secret'],
    properties: { ...properties, secret: secretSchema },
  }
  const fields = {
    url: urlSchema('The URL to call; https in live mode. One endpoint per URL.'),
    description: { type: 'string', maxLength: 255, description: 'Your own note.' },
    events: { ...eventsSchema, description: 'The events it gets; default: all.' },
  } satisfies Record<string, JsonSchema>
  return { endpoint, created, fields }
}

export const example = {
  id: 'ep_4kT9sQx2LmV7bNcR',
  url: 'https://shop.example.com/hooks',
  description: 'Warehouse',
  events: ['payment.success', 'payment.refunded'],
  mode: 'test',
  status: 'active',
  failing_since: null,
  paused_at: null,
  created_at: '2026-11-15T14:05:00.981342Z',
}

export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='

export const unknown = failed(
  404,
  'Unknown, of another merchant, or of the other mode.',
  'not_found',
  'Endpoint not found',
)
const taken = failed(
  409,
  'Another endpoint of this mode has the URL.',
  'endpoint_taken',
  'ep_4kT9sQx2LmV7bNcR already has this URL. Change or delete that one first',
)
const tooMany = failed(
  409,
  'This mode already has ten endpoints.',
  'too_many_endpoints',
  'This mode already has ten endpoints, the maximum: delete one first',
)
const wrongUrl = failed(400, 'A rule failed.', 'validation_failed', 'url is required', {
  url: ['url is required'],
})

export function done(status: number, message: string, data: JsonSchema, value: unknown): Answer {
  return { status, description: 'Done.', data, example: { status: 'success', message, data: value } }
}

const changes = ({ endpoint, created, fields }: EndpointShapes): readonly Operation[] => [
  {
    id: 'createEndpoint',
    method: 'post',
    path: '/api/endpoints',
    group: endpointGroup,
    summary: 'Add an endpoint',
    description:
      "An endpoint gets notifications about every payment in the key's mode, with or without a callback_url. Up to ten per mode, each with its own secret: store the secret from this answer, it is shown once.",
    key: 'secret',
    body: {
      type: 'application/json',
      schema: { type: 'object', required: ['url'], properties: fields },
      example: { url: example.url, description: example.description, events: example.events },
    },
    answers: [
      done(201, 'Endpoint created', created, { ...example, secret: secretExample }),
      wrongUrl,
      taken,
      tooMany,
    ],
  },
  {
    id: 'changeEndpoint',
    method: 'patch',
    path: '/api/endpoints/{id}',
    group: endpointGroup,
    summary: 'Change an endpoint',
    description: 'Fields you leave out stay the same. Waiting notifications go to the new URL.',
    key: 'secret',
    parameters: [idParameter],
    body: {
      type: 'application/json',
      schema: { type: 'object', properties: fields },
      example: { events: ['*'] },
    },
    answers: [
      done(200, 'Endpoint changed', endpoint, { ...example, events: ['*'] }),
      failed(400, 'A rule failed.', 'validation_failed', 'url must be an absolute http or https URL', {
        url: ['url must be an absolute http or https URL'],
      }),
      unknown,
      taken,
    ],
  },
  {
    id: 'deleteEndpoint',
    method: 'delete',
    path: '/api/endpoints/{id}',
    group: endpointGroup,
    summary: 'Delete an endpoint',
    description: 'Notifications waiting for it are not sent. Sent notifications stay in the list.',
    key: 'secret',
    parameters: [idParameter],
    answers: [
      done(
        200,
        'Endpoint deleted',
        {
          type: 'object',
          required: ['id', 'deleted'],
          properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
        },
        { id: example.id, deleted: true },
      ),
      unknown,
    ],
  },
]

const looks = ({ endpoint }: EndpointShapes): readonly Operation[] => [
  {
    id: 'listEndpoints',
    method: 'get',
    path: '/api/endpoints',
    group: endpointGroup,
    summary: 'List endpoints',
    description: listRules,
    key: 'secret',
    parameters: pageParameters,
    answers: [
      {
        status: 200,
        description: 'A page of endpoints.',
        data: { type: 'array', items: endpoint },
        beside: cursorBeside,
        example: {
          status: 'success',
          message: 'Endpoints',
          data: [example],
          ...onlyPage,
        },
      },
      failed(400, 'A rule failed.', 'validation_failed', 'limit must be a whole number from 1 to 100', {
        limit: ['limit must be a whole number from 1 to 100'],
      }),
    ],
  },
  {
    id: 'findEndpoint',
    method: 'get',
    path: '/api/endpoints/{id}',
    group: endpointGroup,
    summary: 'Look an endpoint up',
    description: 'Includes whether its URL works. The secret is not shown again.',
    key: 'secret',
    parameters: [idParameter],
    answers: [done(200, 'Endpoint details', endpoint, example), unknown],
  },
]

export function endpointOperations(shapes: EndpointShapes): readonly Operation[] {
  return [...changes(shapes), ...looks(shapes)]
}
