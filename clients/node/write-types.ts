// Writes src/types.ts from an OpenAPI document: `npm run client-types`. A test fails when the file isn't what the server describes.

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly 'x-open-enum'?: boolean
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
type QueryParameter = {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}
type Described = {
  readonly operationId: string
  readonly parameters?: readonly QueryParameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks?:
    | Readonly<Record<string, { readonly post: { readonly requestBody?: Content } }>>
    | undefined
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A form is sent by a browser, and only `florin listen` listens. */
const leftOut = new Set([
  'startFromForm',
  'startListening',
  'listenToNotifications',
  'reportListenerAnswer',
  'followWarnings',
])

export function typesOf(document: OpenApi): string {
  const operations = operationsOf(document)
  const named = document.components.schemas
  const events = webhookEvents(document)
  const schemas = Object.entries(named)
    .filter(([name]) => isUsed(name, operations, document))
    .map(([name, schema]) => {
      const base = baseOf(name, named)
      const names = events.get(name)
      if (base !== undefined && names)
        return `export type ${name} = ${base} & { readonly event: ${names.map(literal).join(' | ')} }\n`
      const own = base === undefined ? schema : without(schema, named[base] ?? {})
      const type = `${base === undefined ? '' : `${base} & `}${typeOf(own, '')}`
      return `${comment(schema.description, '')}export type ${name} = ${type}\n`
    })
  const table = operations.map(
    ({ path, method, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`,
  )
  const shared = sharedParameters(operations.map(({ operation }) => operation))
  const types = operations.map(({ operation }) => {
    const parts = [answerOf(operation), queryOf(operation, shared), bodyOf(operation)]
    while (parts.at(-1) === 'never') parts.pop()
    return `  ${operation.operationId}: Call<${parts.join(', ')}>`
  })
  return [
    '// Made from /openapi.json by `npm run client-types`. Do not edit.\n',
    ...schemas,
    `/** Compare \`event\` first: the other fields follow from it. */\nexport type WebhookEvent = ${[...events.keys()].join(' | ')}\n`,
    "export type EventName = WebhookEvent['event'] | (string & {})\n",
    `export const operations = {\n${table.join('\n')}\n} as const\n`,
    'export type OperationId = keyof typeof operations\n',
    "type Ok<Data> = { readonly status: 'success'; readonly message: string; readonly data: Data }\n",
    'type Warned<Data> = Ok<Data> & { readonly warnings?: Warnings }\n',
    `type Pages<Data> = Ok<readonly Data[]> & ${cursorPage}\n`,
    'type Call<Answer, Query = never, Body = never> = { answer: Answer; query: Query; body: Body }\n',
    `/** What several lists are filtered by. */\ntype Filters = {\n${[...shared.values()].join('')}}\n`,
    `export type Operations = {\n${types.join('\n')}\n}\n`,
  ].join('\n')
}

type Placed = { readonly path: string; readonly method: string; readonly operation: Described }

/** Those that a program calls. */
export function operationsOf(document: OpenApi): readonly Placed[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => operation.operationId !== undefined && !leftOut.has(operation.operationId))
}

/** Whether a call or a webhook mentions it, itself or through another schema. */
function isUsed(name: string, operations: readonly Placed[], { webhooks, components }: OpenApi): boolean {
  const mentions = (value: unknown): boolean =>
    JSON.stringify(value).includes(`"#/components/schemas/${name}"`)
  return (
    mentions([operations, webhooks]) ||
    Object.entries(components.schemas).some(
      ([other, schema]) =>
        other !== name && mentions(schema) && isUsed(other, operations, { webhooks, components, paths: {} }),
    )
  )
}

/** The largest schema that this one has whole, as an event has a transaction. Members it never has may be missing if they are optional. */
function baseOf(name: string, named: OpenApi['components']['schemas']): string | undefined {
  const whole = named[name] ?? {}
  const shared = (other: string): number =>
    Object.keys(named[other]?.properties ?? {}).filter((key) => whole.properties?.[key]).length
  return Object.keys(named)
    .filter((other) => other !== name && shared(other) >= sharedMin && has(whole, named[other] ?? {}))
    .toSorted((a, b) => shared(b) - shared(a))[0]
}

const sharedMin = 6

function has(whole: Schema, part: Schema): boolean {
  return Object.entries(part.properties ?? {}).every(([key, value]) => {
    const own = whole.properties?.[key]
    const isRequired = part.required?.includes(key) === true
    if (own === undefined) return !isRequired
    return JSON.stringify(own) === JSON.stringify(value) && whole.required?.includes(key) === isRequired
  })
}

function without(whole: Schema, part: Schema): Schema {
  const own = Object.entries(whole.properties ?? {}).filter(([key]) => part.properties?.[key] === undefined)
  return { ...whole, properties: Object.fromEntries(own) }
}

/** Each list has these: written once they take a tenth of the room. */
function sharedParameters(operations: readonly Described[]): ReadonlyMap<string, string> {
  const all = operations.flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === 'query'))
  const lines = all.map((each): [string, string] => [each.name, parameterLine(each, '  ')])
  return new Map(
    lines.filter(
      ([name, line], place) =>
        lines.findIndex(([other]) => other === name) === place &&
        lines.filter(([, other]) => other === line).length > 1,
    ),
  )
}

function queryOf({ parameters = [] }: Described, shared: ReadonlyMap<string, string>): string {
  const query = parameters.filter((each) => each.in === 'query')
  if (query.length === 0) return 'never'
  const isShared = (each: QueryParameter): boolean => shared.get(each.name) === parameterLine(each, '  ')
  const picked = query.filter(isShared).map(({ name }) => `'${name}'`)
  const own = query.filter((each) => !isShared(each)).map((each) => parameterLine(each, '    '))
  return [
    ...(picked.length > 0 ? [`Pick<Filters, ${picked.join(' | ')}>`] : []),
    ...(own.length > 0 ? [`{\n${own.join('')}  }`] : []),
  ].join(' & ')
}

function parameterLine({ name, description, schema }: QueryParameter, indent: string): string {
  const type = `${typeOf(schema, indent)}${/_(from|to)$/.test(name) ? ' | Date' : ''} | undefined`
  return `${comment(description, indent)}${indent}${name}?: ${type}\n`
}

function bodyOf({ requestBody }: Described): string {
  const schema = requestBody?.content?.['application/json']?.schema
  return schema === undefined ? 'never' : typeOf(schema, '  ')
}

const cursorPage = '{\n  readonly links: NextLink\n  readonly meta: CursorMeta\n}'

function answerOf({ responses }: Described): string {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = good?.content?.['application/json']?.schema
  if (schema === undefined) return 'string'
  const { status: _, message: __, warnings, data = {}, ...beside } = schema.properties ?? {}
  const rest = { type: 'object', properties: beside, required: Object.keys(beside) }
  if (Object.keys(beside).length === 0) return `${warnings ? 'Warned' : 'Ok'}<${typeOf(data, '  ')}>`
  const item = typeOf(data.items ?? {}, '  ')
  return typeOf(rest, '') === cursorPage ? `Pages<${item}>` : `Ok<readonly ${item}[]> & ${typeOf(rest, '  ')}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return literal(schema.const)
  // Newer servers may say more: a program must not break at a word it doesn't know.
  if (schema.enum !== undefined) {
    if (isEventNames(schema.enum)) return schema.enum.includes('*') ? `'*' | EventName` : 'EventName'
    return valuesOf(schema.enum)
  }
  const either = schema.oneOf ?? schema.anyOf
  if (either !== undefined) return either.map((one) => typeOf(one, indent)).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties ? objectOf(schema, indent) : 'unknown'
  return [...new Set(types.map((type) => simple(type, schema, indent)))].join(' | ')
}

function valuesOf(values: readonly unknown[]): string {
  const other = typeof values[0] === 'number' ? 'number' : 'string'
  return [...values.map(literal), `(${other} & {})`].join(' | ')
}

function isEventNames(values: readonly unknown[]): boolean {
  return values.includes('payment.success')
}

/** `RefundEvent` with the names of its events: the name of an event tells what else is in it. */
function webhookEvents({ webhooks = {} }: OpenApi): ReadonlyMap<string, readonly string[]> {
  const described = Object.entries(webhooks).map(([event, { post }]) => {
    const schema = post.requestBody?.content?.['application/json']?.schema ?? {}
    return { event, type: typeOf(schema, '') }
  })
  return new Map(
    [...Map.groupBy(described, ({ type }) => type)].map(([type, of]) => [type, of.map(({ event }) => event)]),
  )
}

function simple(type: string, schema: Schema, indent: string): string {
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'array') {
    const item = schema.items ? typeOf(schema.items, indent) : 'unknown'
    return `readonly ${item.includes(' ') && !item.startsWith('{') ? `(${item})` : item}[]`
  }
  return type === 'integer' ? 'number' : type
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Readonly<Record<string, ${value}>>`
  }
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    return `${comment(schema.description, inner)}${inner}readonly ${name}${isRequired ? '' : '?'}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}
