import { refusalCodes } from '../../errors/refusals.ts'
import { nameSchemas, type JsonSchema } from './named-schemas.ts'
import { openValues } from './open-values.ts'

// The API described once, as data: /openapi.json is built from it, the reference is drawn from it, and tests call
// every operation and hold the real answer against it.

export type { JsonSchema } from './named-schemas.ts'

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: JsonSchema
  readonly required?: boolean
}

export type Answer = {
  readonly status: number
  readonly description: string
  /** The content of `data`; left out for failures, which always have the same shape. */
  readonly data?: JsonSchema
  /** Members beside `data`, such as meta and links. */
  readonly beside?: Readonly<Record<string, JsonSchema>>
  /** Members beside `data` that only some answers have, or another rule for a member that all have. */
  readonly sometimes?: Readonly<Record<string, JsonSchema>>
  readonly example?: unknown
  /** The answer is a file of this type, and `example` is its text. */
  readonly file?: string
  /** Headers besides those of every answer: name → what it says. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Operation = {
  readonly id: string
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly description: string
  readonly key: 'secret' | 'api' | 'in the form'
  readonly parameters?: readonly Parameter[]
  readonly body?: { readonly type: string; readonly schema: JsonSchema; readonly example: unknown }
  /** Several may share a status: each is then an example of it. */
  readonly answers: readonly Answer[]
  /** Where the operation is reached, when that is not the base URL. */
  readonly server?: string
}

/** What we send to a merchant's own server. */
export type Webhook = {
  readonly event: string
  readonly summary: string
  readonly description: string
  readonly headers: readonly Parameter[]
  readonly schema: JsonSchema
  readonly example: unknown
}

export type Api = {
  readonly version: string
  readonly baseUrl: string
  readonly groups: Readonly<Record<string, string>>
  readonly operations: readonly Operation[]
  readonly webhooks: readonly Webhook[]
}

export function makeOpenApi(api: Api): object {
  const { baseUrl, groups, operations } = api
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method] = describeOperation(operation)
  }
  const webhooks = Object.fromEntries(
    api.webhooks.map((webhook) => [webhook.event, describeWebhook(webhook)]),
  )
  const { named, schemas } = nameSchemas({ paths, webhooks })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: api.version,
      description:
        "Create payment links, look up transactions and manage projects. The key decides between test and live mode. New fields may be added to answers, and new values to lists marked x-extensible-enum: ignore any you don't know.",
      contact: { name: 'The guide for developers', url: `${baseUrl}/docs` },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    ...named,
    components: {
      securitySchemes: {
        secret: { type: 'http', scheme: 'bearer', description: 'A secret key: sk_test_… or sk_live_…' },
        api: { type: 'http', scheme: 'bearer', description: 'An API key: ak_…' },
      },
      schemas,
    },
  }
}

function describeOperation(operation: Operation): object {
  const { id, group, summary, description, parameters, body, key } = operation
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    ...(operation.server !== undefined && { servers: [{ url: operation.server }] }),
    security: key === 'in the form' ? [] : [{ [key]: [] }],
    ...(parameters?.length && { parameters: parameters.map(describeParameter) }),
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type]: { schema: body.schema, example: body.example } },
      },
    }),
    responses: Object.fromEntries(
      statusesOf(operation).map((status) => [
        String(status),
        describeAnswers(
          operation.answers.filter((answer) => answer.status === status),
          key === 'in the form',
        ),
      ]),
    ),
  }
}

function statusesOf(operation: Operation): number[] {
  return [...new Set(operation.answers.map((answer) => answer.status))].toSorted((a, b) => a - b)
}

function describeParameter(parameter: Parameter): object {
  return { ...parameter, required: parameter.required ?? parameter.in === 'path' }
}

function describeAnswers(answers: readonly Answer[], forBrowsers: boolean): object {
  const [first] = answers
  if (!first) throw new Error('A status without an answer')
  const description = answers.map((answer) => answer.description).join(' ')
  const headers = Object.assign({}, ...answers.map((answer) => answer.headers ?? {})) as Record<
    string,
    string
  >
  const described = { description, headers: { 'x-request-id': requestIdHeader, ...describeHeaders(headers) } }
  if (first.status === 303) return described
  if (first.file !== undefined) {
    const schema = { type: 'string', example: first.example }
    return { ...described, content: { [first.file]: { schema } } }
  }
  if (first.status < 300 && !first.data) return { ...described, content: { 'text/html': { schema: page } } }
  const schema = openValues(answerSchema(first))
  const examples = answers
    .filter((answer) => answer.example !== undefined)
    .map((answer) => [exampleName(answer), { value: answer.example }])
  return {
    ...described,
    content: {
      ...(forBrowsers && { 'text/html': { schema: page } }),
      'application/json': { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) },
    },
  }
}

function exampleName(answer: Answer): string {
  return (answer.example as { code?: string }).code ?? 'success'
}

const page: JsonSchema = { type: 'string', description: 'A page for the customer.' }

const requestIdHeader = {
  description: 'Identifies this answer in our log. Quote it when you ask for help.',
  schema: { type: 'string' },
}

function describeHeaders(headers: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

function describeWebhook({ event, summary, description, headers, schema, example }: Webhook): object {
  const operationId = `on${event.replace(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`
  return {
    post: {
      operationId,
      tags: ['Notifications'],
      summary,
      description,
      security: [],
      parameters: headers.map(describeParameter),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: openValues(schema), example } },
      },
      responses: {
        '2XX': { description: 'Received. Answer within 15 seconds, and do slow work afterwards.' },
        '410': { description: 'Not wanted: Florin stops sending this notification.' },
        '4XX': { description: 'Florin retries. 429 with Retry-After says when.' },
        '5XX': { description: 'Florin retries. 503 with Retry-After says when.' },
      },
    },
  }
}

export function answerSchema({ data, beside = {}, sometimes = {} }: Answer): JsonSchema {
  if (!data) return failure
  return {
    type: 'object',
    required: ['status', 'message', 'data', ...Object.keys(beside)],
    additionalProperties: false,
    properties: {
      status: { type: 'string', const: 'success' },
      message: { type: 'string' },
      data,
      ...beside,
      ...sometimes,
    },
  }
}

const failure: JsonSchema = {
  title: 'Failure',
  type: 'object',
  required: ['status', 'message', 'data', 'code'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', const: 'failed' },
    message: { type: 'string', description: 'Names the first rule that failed.' },
    data: { type: 'null' },
    code: {
      type: 'string',
      enum: refusalCodes().map((refusal) => refusal.code),
      description: 'A stable word for programs.',
    },
    errors: {
      type: 'object',
      description: 'Every rule that failed, by field. Always present when code is validation_failed.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    existing: {
      title: 'ExistingPayment',
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      description: 'Only when code is tx_ref_taken: the payment that has the tx_ref. Not shown to form keys.',
      properties: {
        status: { type: 'string' },
        checkout_url: { type: 'string', format: 'uri', description: 'Only while it is pending.' },
      },
    },
  },
}
