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
type Described = {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A form is sent by a browser, and only `florin listen` listens. */
const leftOut = new Set(['startFromForm', 'startListening', 'listenToNotifications', 'reportListenerAnswer'])

export function typesOf(document: OpenApi): string {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => operation.operationId !== undefined && !leftOut.has(operation.operationId))
  const named = document.components.schemas
  const schemas = Object.entries(named).map(([name, schema]) => {
    const base = baseOf(name, named)
    const own = base === undefined ? schema : without(schema, named[base] ?? {})
    const type = `${base === undefined ? '' : `${base} & `}${typeOf(own, '')}`
    return `${comment(schema.description, '')}export type ${name} = ${type}\n`
  })
  const table = operations.map(
    ({ path, method, operation }) => `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],`,
  )
  const types = operations.map(
    ({ operation }) =>
      `  ${operation.operationId}: {\n    query: ${queryOf(operation)}\n    body: ${bodyOf(operation)}\n    answer: ${answerOf(operation)}\n  }`,
  )
  return [
    '// Made from /openapi.json by `npm run client-types`. Do not edit.\n',
    ...schemas,
    `export const operations = {\n${table.join('\n')}\n} as const\n`,
    'export type OperationId = keyof typeof operations\n',
    `export type Operations = {\n${types.join('\n')}\n}\n`,
  ].join('\n')
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

function queryOf({ parameters = [] }: Described): string {
  const query = parameters.filter((each) => each.in === 'query')
  if (query.length === 0) return 'never'
  const lines = query.map(
    ({ name, description, schema }) =>
      `${comment(description, '      ')}      ${name}?: ${typeOf(schema, '      ')}${/_(from|to)$/.test(name) ? ' | Date' : ''} | undefined\n`,
  )
  return `{\n${lines.join('')}    }`
}

function bodyOf({ requestBody }: Described): string {
  const schema = requestBody?.content?.['application/json']?.schema
  return schema === undefined ? 'never' : typeOf(schema, '    ')
}

function answerOf({ responses }: Described): string {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = good?.content?.['application/json']?.schema
  return schema === undefined ? 'string' : typeOf(schema, '    ')
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return literal(schema.const)
  // Newer servers may say more: a program must not break at a word it doesn't know.
  if (schema.enum !== undefined) return [...schema.enum.map(literal), '(string & {})'].join(' | ')
  const either = schema.oneOf ?? schema.anyOf
  if (either !== undefined) return either.map((one) => typeOf(one, indent)).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return schema.properties ? objectOf(schema, indent) : 'unknown'
  return [...new Set(types.map((type) => simple(type, schema, indent)))].join(' | ')
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
