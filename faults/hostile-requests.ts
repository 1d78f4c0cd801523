import fc from 'fast-check'
import { anyCharacter } from '../test/support/any-character.ts'
import { allOperations } from '../src/app/operations.ts'
import type { JsonSchema, Operation } from '../src/platform/http/openapi/openapi.ts'
import { call, openHouse, type Answer, type House } from '../test/support/house.ts'
import { paymentRequest } from '../test/support/payment-request.ts'

// Requests made from our own description of the API, with values that no description allows.

const operations = allOperations('http://127.0.0.1:3000')

export async function openHostileHouse(): Promise<House> {
  const settings = {
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    MISS_LIMIT_PER_SECOND: '1000000',
  }
  return openHouse({ settings })
}

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 20,
  }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e\u2066',
    'İ'.repeat(300),
    'x'.repeat(70_000),
    "'; drop table payments; --",
    '%',
    '%00',
    '%ff',
    '../../../etc/passwd',
    '{{7*7}}',
    '${7*7}',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    'http://user:password@example.com',
    'http://[::1',
    'https://example.com/\r\nx: y',
    '1e999',
    '-0',
    'NaN',
    '٣',
    '9'.repeat(400),
    '2026-02-30',
    '0000-01-01',
    '9999-12-31T23:59:59.999999Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T14:05:60Z',
    '2026-11-15T14:05:00+99:99',
    'infinity',
    'now',
    '15',
    Buffer.from(`9999-99-99T99:99:99.000000Z ${'1'.repeat(24)}`).toString('base64url'),
    '__proto__',
    'constructor',
    'toString',
  ),
)

const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, 1.005, 2 ** 53, [], {}, [[]], deep(6), deep(500)),
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(fc.oneof(hostileText, fc.constant('__proto__')), hostileText, { maxKeys: 3 }),
)

/** Stands for the secret key in a form until it is sent. */
const keyOfTheHouse = 'KEY_OF_THE_HOUSE'

function goodBody({ path, body }: Operation): () => Record<string, unknown> {
  if (path === '/api/payment' || path === '/ext_transfer') return paymentRequest
  if (path === '/api/v1/projects') return () => ({ project: `p${Math.random()}` })
  return () => body?.example as Record<string, unknown>
}

/** Mostly a body that would do, with some fields hostile: far more gets past the first rule that way. */
function bodyFor(operation: Operation): fc.Arbitrary<string | undefined> {
  if (!operation.body) return fc.constant(undefined)
  const schema = operation.body.schema as { properties?: Record<string, JsonSchema> }
  const names = [...Object.keys(schema.properties ?? {}), '__proto__', 'constructor', 'unknown']
  const good = goodBody(operation)
  const changes = fc.dictionary(fc.constantFrom(...names), hostileValue, { maxKeys: 3 })
  const object = changes.map((change) => ({
    ...good(),
    ...change,
  }))
  if (operation.body.type !== 'application/json') {
    return object.map((fields) =>
      new URLSearchParams(
        Object.entries({ secret_key: keyOfTheHouse, ...fields }).map(([name, value]) => [name, plain(value)]),
      ).toString(),
    )
  }
  return fc.oneof(
    { weight: 6, arbitrary: object.map((fields) => JSON.stringify(fields)) },
    {
      weight: 1,
      arbitrary: object.map((fields) => `{"tx_ref":"a","tx_ref":{},${JSON.stringify(fields).slice(1)}`),
    },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{"meta":'.repeat(5_000), '[', '{"a":1,}', '\ufeff{}', '{"amount":1e400}'),
    },
  )
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '')
}

export type Sent = {
  readonly operation: Operation
  readonly url: string
  readonly body: string | undefined
  readonly key: string
}

export const anyRequest: fc.Arbitrary<Sent> = fc.constantFrom(...operations).chain((operation) => {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return fc.record({
    operation: fc.constant(operation),
    url: fc
      .tuple(
        fc.tuple(...inPath.map(() => hostileText)),
        fc.dictionary(fc.constantFrom(...inQuery.map(({ name }) => name), 'odd'), hostileText, {
          maxKeys: 3,
        }),
      )
      .map(([path, query]) => addressOf(operation, path, query)),
    body: bodyFor(operation),
    key: fc.constantFrom('good', 'good', 'good', 'good', 'none', 'sk_test_nonsense', 'live'),
  })
})

function addressOf(operation: Operation, path: readonly string[], query: Record<string, string>): string {
  let index = 0
  const filled = operation.path.replaceAll(/\{[^}]+\}/g, () => {
    index += 1
    return encodeURIComponent((path[index - 1] ?? '').toWellFormed())
  })
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, value.toWellFormed()]),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}

export async function sendHostile(
  house: House,
  { operation, url, body, key }: Sent,
): Promise<Answer | 'refused by the client'> {
  const good = operation.key === 'api' ? house.apiKey : house.secretKey
  const keys: Readonly<Record<string, string>> = { good, live: house.liveKey }
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = operation.body?.type ?? 'application/json'
  if (key !== 'none') headers['authorization'] = `Bearer ${keys[key] ?? key}`
  // A follower waits for news; nobody here wants to.
  const waits = url.startsWith('/api/notifications/listen') && !url.includes('wait=')
  const address = waits ? `${url}${url.includes('?') ? '&' : '?'}wait=0` : url
  try {
    return await call(`${house.url}${address}`, {
      method: operation.method.toUpperCase(),
      headers,
      ...(body !== undefined && { body: body.replace(keyOfTheHouse, house.secretKey) }),
    })
  } catch (error) {
    if (error instanceof TypeError && /URL|ByteString/.test(String(error))) return 'refused by the client'
    throw error
  }
}
