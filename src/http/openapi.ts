import { refusalCodes } from '../errors/refusals.ts'

// The API described once, as data: /openapi.json is built from it, the reference page is drawn from it, and a test
// calls every operation and holds the real answer against it.

export type JsonSchema = { readonly [keyword: string]: unknown }

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
  /** What stands in `data`; left out for failures, whose shape is always the same. */
  readonly data?: JsonSchema
  /** Members beside `data`, such as meta and links. */
  readonly beside?: Readonly<Record<string, JsonSchema>>
  readonly example?: unknown
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
  readonly answers: readonly Answer[]
  /** Where the operation is reached, when that is not the base URL. */
  readonly server?: string
}

export function makeOpenApi(operations: readonly Operation[], baseUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method] = describeOperation(operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: '1.0.0',
      description:
        'Create payment links, look transactions up, and keep projects. The key decides between test and live.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map((operation) => operation.group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        secret: { type: 'http', scheme: 'bearer', description: 'A secret key: sk_test_… or sk_live_…' },
        api: { type: 'http', scheme: 'bearer', description: 'An API key: ak_…' },
      },
      schemas: { Failure: failure },
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
    ...(parameters && {
      parameters: parameters.map((each) => ({ ...each, required: each.required ?? each.in === 'path' })),
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: { [body.type]: { schema: body.schema, example: body.example } },
      },
    }),
    responses: Object.fromEntries(
      operation.answers.map((answer) => [String(answer.status), describeAnswer(answer)]),
    ),
  }
}

function describeAnswer(answer: Answer): object {
  if (answer.status === 303) {
    return {
      description: answer.description,
      headers: { location: { schema: { type: 'string', format: 'uri' } } },
    }
  }
  const schema = answer.data
    ? successSchema(answer.data, answer.beside)
    : { $ref: '#/components/schemas/Failure' }
  const example = answer.example === undefined ? {} : { example: answer.example }
  return { description: answer.description, content: { 'application/json': { schema, ...example } } }
}

export function successSchema(
  data: JsonSchema,
  beside: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: ['status', 'message', 'data', ...Object.keys(beside)],
    additionalProperties: false,
    properties: { status: { const: 'success' }, message: { type: 'string' }, data, ...beside },
  }
}

export const failure: JsonSchema = {
  type: 'object',
  required: ['status', 'message', 'data', 'code'],
  additionalProperties: false,
  properties: {
    status: { const: 'failed' },
    message: { type: 'string', description: 'Names the first rule that failed.' },
    data: { type: 'null' },
    code: { enum: refusalCodes().map((refusal) => refusal.code), description: 'A stable word for programs.' },
    errors: {
      type: 'object',
      description: 'Every rule that failed, by field. Always there when code is validation_failed.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
  anyOf: [
    { properties: { code: { not: { const: 'validation_failed' } } } },
    { properties: { code: { const: 'validation_failed' } }, required: ['errors'] },
  ],
}
