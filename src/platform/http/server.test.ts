import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { makeBareServer, type BareServer } from '../../../test/support/bare-server.ts'
import { sendRaw, type RawAnswer } from '../../../test/support/raw-request.ts'
import { routesOf, type ServerOptions } from './server.ts'

function open(t: TestContext, changed: Partial<ServerOptions> = {}): BareServer {
  const bare = makeBareServer(t, changed)
  bare.server.get('/thing/:name', async ({ ip, id, params }) => ({ ip, id, params }))
  bare.server.post('/thing', async ({ body }) => ({ body }))
  return bare
}

/** The log of answers: which route, which status. */
function answered({ lines }: BareServer): string[] {
  return lines
    .map((line) => JSON.parse(line) as { method: string; route: string; status: number })
    .map(({ method, route, status }) => `${method} ${route} ${status}`)
}

test('every route is listed, for comparison with the documentation', (t) => {
  assert.deepEqual(
    routesOf(open(t).server).map(({ method, url }) => `${method} ${url}`),
    ['GET /thing/:name', 'HEAD /thing/:name', 'POST /thing'],
  )
})

test('an unknown route is refused, logged and counted once, with default headers and without its URL', async (t) => {
  const bare = open(t)
  const strays = [
    ['GET', '/nothing', 404, 'not_found'],
    ['GET', '/thing', 405, 'method_not_allowed'],
    ['GET', '/thing/%zz', 400, 'validation_failed'],
    ['GET', `/thing/${'x'.repeat(3_101)}`, 414, 'uri_too_long'],
  ] as const
  for (const [method, url, status, code] of strays) {
    const { statusCode, headers, json } = await bare.server.inject({ method, url })
    assert.deepEqual([statusCode, json<{ code: string }>().code], [status, code], url)
    assert.match(String(headers['x-request-id']), /^req_/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  }
  const expected = strays.map(([method, , status]) => `${method} none ${status}`)
  assert.deepEqual(answered(bare), expected)
  const counts = await bare.figures('florin_http_request_seconds_count')
  assert.deepEqual(
    counts.toSorted(),
    strays
      .map(
        ([method, , status]) =>
          `florin_http_request_seconds_count{method="${method}",route="none",status="${status}"} 1`,
      )
      .toSorted(),
  )
})

test('an unknown URL is refused before its body is read', async (t) => {
  const { server } = open(t)
  const headers = { 'content-type': 'text/odd' }
  const answer = await server.inject({ method: 'POST', url: '/nothing', headers, payload: 'a' })
  assert.equal(answer.statusCode, 404)
})

test('an empty name in a URL is not the list of everything', async (t) => {
  const { server } = makeBareServer(t)
  server.get('/shops', async () => 'all shops')
  server.get('/shops/:name', async ({ params }) => params)
  assert.deepEqual((await server.inject('/shops/')).json(), { name: '' })
})

test('a path segment may have 3,100 characters', async (t) => {
  const name = 'x'.repeat(3_100)
  const answer = await open(t).server.inject(`/thing/${name}`)
  assert.deepEqual(answer.json<{ params: unknown }>().params, { name })
})

test('a read with extra slashes is redirected to the right URL, below Florin’s base path', async (t) => {
  for (const [baseUrl, prefix] of [
    ['http://127.0.0.1:3000', ''],
    ['https://shop.example/', ''],
    ['https://shop.example/pay//', '/pay'],
  ] as const) {
    const { server } = open(t, { baseUrl })
    const moved = await server.inject('//thing/a/?b=1')
    assert.deepEqual([moved.statusCode, moved.headers.location], [308, `${prefix}/thing/a?b=1`])
    const written = await server.inject({ method: 'POST', url: '//thing/', payload: { a: 1 } })
    assert.deepEqual([written.statusCode, written.json()], [200, { body: { a: 1 } }], 'served where it came')
  }
})

test('only a trusted proxy may set a request’s id or address', async (t) => {
  const headers = {
    'x-forwarded-for': '192.0.2.7',
    'x-request-id': 'given-by-somebody',
    'request-id': 'given-by-somebody',
  }
  const ask = async (trustedProxies: readonly string[]) =>
    (await open(t, { trustedProxies }).server.inject({ url: '/thing/a', headers })).json<{
      ip: string
      id: string
    }>()
  for (const trusted of [[], ['10.0.0.1']]) {
    const stranger = await ask(trusted)
    assert.equal(stranger.ip, '127.0.0.1')
    assert.match(stranger.id, /^req_/)
  }
  const { ip, id } = await ask(['127.0.0.1'])
  assert.deepEqual([ip, id], ['192.0.2.7', 'given-by-somebody'])
})

test('a request has exactly one Host header, except in HTTP/1.0, and that is checked first', async (t) => {
  const { server } = open(t)
  const url = await server.listen()
  const ask = async (version: string, ...lines: string[]): Promise<RawAnswer> =>
    sendRaw(url, [`GET /nothing HTTP/${version}`, ...lines, 'connection: close', '', ''].join('\r\n'))
  const messageOf = async (version: string, ...lines: string[]): Promise<string> => {
    const { json } = await ask(version, ...lines)
    return `${json.code}: ${json.message}`
  }
  const invalid = 'malformed_body: The request is not valid HTTP:'
  const nothing = 'not_found: Nothing exists at this URL: see /docs'
  assert.equal(await messageOf('1.1', 'host: a'), nothing)
  assert.equal(await messageOf('1.1', 'host: a', 'from: b', 'from: c', 'date: d', 'x-host: e'), nothing)
  assert.equal(await messageOf('1.0'), nothing)
  assert.equal(await messageOf('1.1'), `${invalid} the Host header is missing`)
  for (const second of ['host: a', 'HOST: b', 'Host:']) {
    assert.equal(await messageOf('1.1', 'host: a', second), `${invalid} it has more than one Host header`)
    assert.equal(await messageOf('1.0', 'host: a', second), `${invalid} it has more than one Host header`)
  }
})

test('no connection is held longer than the longer of its settings', async (t) => {
  const limitsOf = (requestTimeoutMs: number, headerTimeoutMs: number, idleTimeoutMs: number): number[] => {
    const { server } = open(t, { requestTimeoutMs, headerTimeoutMs, idleTimeoutMs }).server
    return [server.requestTimeout, server.headersTimeout, server.keepAliveTimeout, server.timeout]
  }
  assert.deepEqual(limitsOf(10_000, 4_000, 72_000), [10_000, 4_000, 72_000, 72_000])
  assert.deepEqual(limitsOf(3_000, 4_000, 5_000), [3_000, 3_000, 5_000, 9_000])
})

test('the framework logs only warnings, and nothing if the log is silent', async (t) => {
  const bare = open(t)
  await bare.server.listen()
  bare.server.log.info('told by nobody')
  bare.server.log.child({ a: 1 }).info('told by nobody')
  bare.server.log.warn('told')
  assert.deepEqual(
    bare.lines.map((line) => (JSON.parse(line) as { msg?: string }).msg),
    ['told'],
  )
})
