import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeLog } from './log.ts'
import { makeMetrics } from './metrics.ts'
import { compressible, sendCompressed, sendsConstant, sendText } from './send-text.ts'
import { makeServer, type Server } from './server.ts'

const text = { type: 'text/plain; charset=utf-8', body: 'Grüße' }

let server: Server
let url: string
before(async () => {
  server = makeServer({
    log: makeLog('silent'),
    metrics: makeMetrics(),
    baseUrl: 'http://127.0.0.1',
    version: '0.0.1',
    requestTimeoutMs: 60_000,
    headerTimeoutMs: 60_000,
    idleTimeoutMs: 72_000,
    connections: { all: 100, perAddress: 100 },
    trustedProxies: [],
  })
  server.addHook('preHandler', (_, reply, done) => {
    void reply.header('x-from-hook', 'hook').header('set-cookie', ['a=1', 'b=2'])
    done()
  })
  server.get('/text', (_, reply) =>
    sendText(reply.header('x-from-route', 'route').header('cache-control', 'max-age=60'), {
      ...text,
      headers: { 'referrer-policy': 'origin' },
    }),
  )
  server.get('/compressed', (_, reply) =>
    sendCompressed(reply.header('x-from-route', 'route').header('cache-control', 'max-age=60'), {
      ...text,
      headers: { ...compressible, 'referrer-policy': 'origin' },
    }),
  )
  const sendAgain = sendsConstant({ ...text, headers: { ...compressible, 'referrer-policy': 'origin' } })
  server.get('/constant', async (_, reply) =>
    sendAgain(reply.header('x-from-route', 'route').header('cache-control', 'max-age=60')),
  )
  url = await server.listen()
})
after(() => server.close())

for (const [path, encoding] of [
  ['/text', 'identity'],
  ['/compressed', 'identity'],
  ['/compressed', 'gzip'],
  ['/compressed', 'br'],
  ['/constant', 'gzip'],
  ['/constant', 'br'],
] as const) {
  test(`headers set earlier by a hook or a route are sent from ${path} as ${encoding}`, async () => {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': encoding } })
    assert.equal(await answer.text(), text.body)
    const { headers } = answer
    assert.equal(headers.get('x-from-hook'), 'hook')
    assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2'])
    assert.equal(headers.get('x-from-route'), 'route')
    assert.equal(headers.get('cache-control'), 'max-age=60', 'instead of that of every answer')
    assert.equal(headers.get('referrer-policy'), 'origin', 'instead of that of every answer')
    assert.equal(headers.get('x-content-type-options'), 'nosniff', 'as on every answer')
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    assert.equal(headers.get('content-type'), text.type)
    assert.equal(headers.get('content-encoding') ?? 'identity', encoding)
  })
}
