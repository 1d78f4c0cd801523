import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { makeOutbound } from '../../platform/outbound/outbound.ts'
import { callNetwork, type NetworkAnswer } from './call-network.ts'
import { NoAnswer } from './no-answer.ts'

// What counts as a network's decision, and what leaves everything open.

type FakeAnswer = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}

const outbound = makeOutbound()
let server: Server
let said: FakeAnswer = { status: 200, body: '{}' }
before(async () => {
  server = createServer((_, response) => {
    response.writeHead(said.status, said.headers)
    response.end(said.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function ask(answer: FakeAnswer): Promise<NetworkAnswer> {
  said = answer
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = { method: 'GET', path: '/x', headers: {} } as const
  return callNetwork('Fakepay', { outbound, api, scope: 'local' }, request, new AbortController().signal)
}

for (const status of [200, 201, 400, 401, 402, 403, 404, 409, 410, 422]) {
  test(`an object with status ${status} is the network’s decision`, async () => {
    assert.deepEqual(await ask({ status, body: '{"a":1}', headers: { 'request-id': 'req_1' } }), {
      status,
      requestId: 'req_1',
      body: { a: 1 },
    })
  })
}

for (const status of [301, 302, 304, 307, 408, 429, 500, 502, 503, 504, 599]) {
  test(`status ${status} is no answer, whatever its body says`, async () => {
    await assert.rejects(ask({ status, body: '{"a":1}', headers: { location: '/elsewhere' } }), NoAnswer)
  })
}

for (const body of ['', '<h1>Back soon</h1>', '[]', 'null', '"ok"', '1', '{"a":']) {
  test(`${body === '' ? 'an empty body' : body} is no valid answer from a network`, async () => {
    await assert.rejects(ask({ status: 200, body }), NoAnswer)
    await assert.rejects(ask({ status: 400, body }), NoAnswer, 'nor a refusal')
  })
}

test('a busy network’s Retry-After is read in seconds', async () => {
  for (const [retryAfter, ms] of [
    ['7', 7_000],
    ['99999', 99_999_000],
    ['100000', undefined],
    ['-1', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ] as const) {
    const error: unknown = await ask({
      status: 429,
      body: '{}',
      headers: { 'retry-after': retryAfter },
    }).catch((thrown: unknown) => thrown)
    assert.equal((error as NoAnswer).retryAfterMs, ms, retryAfter)
  }
})
