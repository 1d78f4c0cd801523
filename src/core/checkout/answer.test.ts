import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { linesOf, makePageModel, styleFile } from '../../../test/support/page-model.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { answerWithErrorPage, showPayment } from './answer.ts'
import type { Checkout } from './checkout.ts'
import { makeKnownShops } from './logo/known-shops.ts'
import type { CheckoutRequest } from './open-payment.ts'

type Answered = {
  readonly status: number
  readonly heading: string | undefined
  /** How loud it was told to the operator; undefined when it was not. */
  readonly logged: string | undefined
  readonly links: readonly string[]
  readonly headers: Readonly<Record<string, unknown>>
}

/** What a customer is shown when a page of the payment ends in this. */
async function answerTo(error: Error, method: 'GET' | 'POST' = 'GET'): Promise<Answered> {
  const lines: { readonly level: number; readonly err?: { readonly message: string } }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }
  const server = fastify({ logger: { level: 'info', stream } })
  const checkout = {
    prefix: '/florin',
    styleFile,
    knownShops: makeKnownShops(),
    modules: [] as Checkout['modules'],
  } as Checkout
  server.setErrorHandler(async (thrown, request, reply) =>
    answerWithErrorPage(checkout, thrown, request as CheckoutRequest, reply),
  )
  server.route({
    method,
    url: '/payment/:digits',
    handler: async () => {
      throw error
    },
  })
  const answer = await server.inject({ method, url: '/payment/7' })
  await server.close()
  const main = /<section[^]*<\/section>/.exec(answer.body)?.[0] ?? ''
  const told = lines.filter(({ err }) => err?.message === error.message)
  return {
    status: answer.statusCode,
    heading: linesOf(main)[0],
    logged: told[0] && (told[0].level === 50 ? 'error' : 'warn'),
    links: Array.from(main.matchAll(/href="([^"]*)"/g), ([, href = '']) => href),
    headers: answer.headers,
  }
}

test('failures are reported to the operator; customers’ mistakes are not', async () => {
  const seen = async (error: Error): Promise<unknown> => {
    const { status, heading, logged } = await answerTo(error)
    return [status, heading, logged]
  }
  assert.deepEqual(await seen(new Error('a bug')), [500, 'Something went wrong', 'error'])
  assert.deepEqual(await seen(new Refusal('unavailable')), [503, 'Something went wrong', 'warn'])
  assert.equal((await answerTo(new Refusal('unavailable'))).headers['retry-after'], '2')
  assert.deepEqual(await seen(new Refusal('not_found')), [404, 'Payment not found', undefined])
  assert.deepEqual(await seen(new Refusal('rate_limited')), [429, 'Please wait a moment', undefined])
  assert.deepEqual(await seen(new Refusal('form_refused')), [403, 'Please try again', undefined])
})

test('only a submitted payment may leave money in doubt, and its page links to the payment’s status', async () => {
  assert.deepEqual((await answerTo(new Error('a bug'), 'POST')).links, ['/florin/payment/7?interrupted=1'])
  assert.deepEqual((await answerTo(new Error('a bug'))).links, [''])
  assert.deepEqual((await answerTo(new Refusal('form_refused'), 'POST')).links, ['/florin/payment/7'])
  for (const code of ['not_found', 'rate_limited'] as const)
    assert.deepEqual((await answerTo(new Refusal(code), 'POST')).links, [])
})

test('an error page sets Content-Language and Retry-After', async () => {
  const refusal = new Refusal('rate_limited', undefined, { headers: { 'retry-after': '7' } })
  const { headers } = await answerTo(refusal)
  assert.equal(headers['retry-after'], '7')
  assert.equal(headers['content-language'], 'en')
})

test('a page may be framed only by pages the merchant named, and reports its result to them', async () => {
  const shownFor = async (embedHosts: readonly string[]) => {
    const server = fastify()
    server.get('/', (_, reply) =>
      showPayment(reply.header('x-frame-options', 'DENY'), 200, makePageModel({ brand: { embedHosts } })),
    )
    const { body, headers } = await server.inject('/')
    await server.close()
    const policy = String(headers['content-security-policy'])
    return {
      told: /<meta name="florin-embed"[^>]*>/.exec(body)?.[0] ?? '',
      framedBy: /frame-ancestors ([^;]*)/.exec(policy)?.[1],
      headers: [headers['x-frame-options'], headers['cross-origin-opener-policy']],
    }
  }
  assert.deepEqual(await shownFor([]), { told: '', framedBy: "'none'", headers: ['DENY', undefined] })
  const { told, framedBy, headers } = await shownFor(['shop.example'])
  assert.match(told, /content="https:\/\/shop\.example[^"]*" data-screen="paid"/)
  assert.match(framedBy ?? '', /^https:\/\/shop\.example/)
  assert.deepEqual(headers, [undefined, 'unsafe-none'])
})
