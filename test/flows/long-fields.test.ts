import { after, before, test } from 'node:test'
import { urlencodedType } from '../../src/platform/http/form-body.ts'
import type { JsonSchema, Operation } from '../../src/platform/http/openapi/openapi.ts'
import { composeMail } from '../../src/core/notifications/mail/compose-mail.ts'
import { readSearch } from '../../src/core/payments/support/read-search.ts'
import { readStatement } from '../../src/modules/payouts/bank/read-statement.ts'
import { allOperations } from '../../src/app/operations.ts'
import { assertLinear } from '../support/growth.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'

// A long text in every field of every call, in queries and headers, in a search, a mail and a bank's file: the time
// it takes may grow with its length, and not with the square.

const operations = allOperations('')
/** A text that is read from each of its characters anew takes the square of its length. */
const repeated = [' ', '4242 ', '://:@'] as const
// Beside the text, 64 KiB hold the rest of a request; a URL and the headers hold a quarter of that.
const [bodyMax, headMax] = [60_000, 12_000]

let house: House
before(async () => {
  const plenty = '1000000'
  const limits = { RATE_LIMIT_PER_SECOND: plenty, RATE_LIMIT_BURST: plenty, MISS_LIMIT_PER_SECOND: plenty }
  house = await openHouse({ settings: limits })
})
after(() => house.close())

function filled(part: string, length: number): string {
  return `a${part.repeat(length / part.length)}b`
}

const inHead = (length: number): number => Math.ceil((length * headMax) / 65_536)

function keyOf({ key }: Operation): string {
  return key === 'api' ? house.apiKey : house.secretKey
}

const pathOf = ({ path }: Operation): string => house.url + path.replaceAll(/\{\w+\}/g, 'none')

/** The names of its fields; those inside an object as a path. */
function fieldsOf(schema: JsonSchema): string[][] {
  const properties = (schema as { properties?: Record<string, JsonSchema> }).properties ?? {}
  return Object.entries(properties).flatMap(([name, inner]) => [
    [name],
    ...fieldsOf(inner).map((path) => [name, ...path]),
  ])
}

function withText(object: unknown, [name = '', ...rest]: readonly string[], text: string): object {
  const known = (object ?? {}) as Record<string, unknown>
  return { ...known, [name]: rest.length === 0 ? text : withText(known[name], rest, text) }
}

for (const operation of operations.filter(({ body }) => body !== undefined))
  test(`a long text in each field of ${operation.id} takes time in proportion to it`, async () => {
    const { schema, type, example } = operation.body ?? { schema: {}, type: '', example: {} }
    for (const path of fieldsOf(schema))
      for (const part of repeated)
        await assertLinear(`${operation.id} ${path.join('.')} ${part}`, async (length) => {
          const base = operation.id === 'createPayment' ? paymentRequest() : example
          const fields = withText(base, path, filled(part, Math.min(length, bodyMax)))
          const form = new URLSearchParams({
            ...(fields as Record<string, string>),
            secret_key: house.secretKey,
          })
          await call(pathOf(operation), {
            method: operation.method.toUpperCase(),
            key: keyOf(operation),
            headers: { 'content-type': type },
            body: type === urlencodedType ? form.toString() : JSON.stringify(fields),
          })
        })
  })

test('a long parameter takes time in proportion to it', async () => {
  for (const operation of operations)
    for (const { name, in: place } of operation.parameters ?? [])
      await assertLinear(`${operation.id} ${name}`, async (length) => {
        const text = filled('4 -', inHead(length))
        const query = place === 'query' ? `?${name}=${encodeURIComponent(text).slice(0, inHead(length))}` : ''
        const path = operation.path.replace(`{${name}}`, 'a'.repeat(Math.min(inHead(length), 3_000)))
        await call(`${house.url}${path.replaceAll(/\{\w+\}/g, 'none')}${query}`, {
          method: operation.method.toUpperCase(),
          key: keyOf(operation),
          headers: place === 'header' ? { [name]: text } : {},
        })
      })
})

test('a long header takes time in proportion to it', async () => {
  const names = ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'cookie', 'referer', 'origin']
  for (const path of ['/api/transactions', '/payment/1', '/dashboard/sign-in', '/docs', '/ext_transfer'])
    for (const name of [...names, 'authorization', 'traceparent', 'x-forwarded-for', 'idempotency-key'])
      for (const part of ['a,;q= ', '; a='])
        await assertLinear(`${path} ${name} ${part}`, async (length) =>
          call(house.url + path, { headers: { [name]: filled(part, inHead(length)) } }),
        )
})

test('a search, a mail and a bank’s file take time in proportion to their length', async () => {
  const facts = { template: 'receipt', language: 'en', amountMinor: '1', refundedMinor: '0' } as const
  const context = {
    merchantName: 'Corner shop',
    isTest: false,
    at: '2026-11-15T14:05:00Z',
    networkLabel: String,
  }
  const starts = ['Date,Amount,Description\n', '<?xml version="1.0"?><Document>', ':20:M\n:61:', '']
  for (const part of [...repeated, '<', '<a ', '"', '"",', '\n\n', ',;', '&#1']) {
    await assertLinear(`search ${part}`, (length) => readSearch(filled(part, length)))
    await assertLinear(`mail ${part}`, (length) => {
      const text = filled(part, length)
      const payment = { reference: 'FL1', txRef: text, firstName: text, currency: 'GBP' }
      return composeMail({ ...facts, ...payment }, { ...context, merchantName: text })
    })
    for (const start of starts)
      await assertLinear(`file ${start}${part}`, async (length) =>
        Array.fromAsync(readStatement([Buffer.from(start + filled(part, length))], 'GBP')).catch(() => []),
      )
  }
})
