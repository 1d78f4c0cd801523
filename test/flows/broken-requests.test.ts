import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { call, openHouse, post, type House } from '../support/house.ts'
import { hurry } from '../support/hurry.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openSocket, readAnswer, sendRaw } from '../support/raw-request.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

type Failure = {
  readonly status: number
  readonly headers: Headers
  readonly json: {
    status: string
    message: string
    data: unknown
    code?: string
    errors?: Record<string, string[]>
  }
}

/** What every failed answer has, whatever went wrong. */
function assertRefused(answer: Failure, status: number, code: string, message?: string | RegExp): void {
  assert.equal(answer.status, status)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_[\w-]{13,}$/)
  for (const [name, value] of Object.entries(securityHeaders))
    assert.equal(answer.headers.get(name), value, name)
  assert.equal(answer.json.status, 'failed')
  assert.equal(answer.json.data, null)
  assert.equal(answer.json.code, code)
  if (message instanceof RegExp) assert.match(answer.json.message, message)
  else if (message !== undefined) assert.equal(answer.json.message, message)
}

test('an unknown path is 404 in the envelope, whatever Accept says', async () => {
  for (const accept of ['text/html', 'application/xml', '*/*', 'nonsense', '']) {
    const answer = await call(`${house.url}/api/nothing`, { headers: { accept } })
    assertRefused(answer, 404, 'not_found', 'Nothing exists at this URL: see /docs')
  }
  for (const path of ['/api', '/api/payment/x', '//api//', '/api/../etc/passwd', '/%2e%2e/']) {
    assertRefused(
      await sendRaw(house.url, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`),
      404,
      'not_found',
    )
  }
})

test('a wrong method is 405 and lists the right ones', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await call(`${house.url}/api/payment`, { method })
    assertRefused(answer, 405, 'method_not_allowed', `${method} is not allowed here, use POST`)
    assert.equal(answer.headers.get('allow'), 'POST')
  }
  const look = await call(`${house.url}/api/transaction/order-1`, { method: 'POST' })
  assertRefused(look, 405, 'method_not_allowed')
  assert.equal(look.headers.get('allow'), 'GET, HEAD')
})

test('a wrong method is 405 even if the name in the URL is empty', async () => {
  for (const method of ['PUT', 'POST', 'OPTIONS', 'DELETE']) {
    const answer = await call(`${house.url}/api/transaction/`, { method })
    assertRefused(answer, 405, 'method_not_allowed', `${method} is not allowed here, use GET, HEAD`)
    assert.equal(answer.headers.get('allow'), 'GET, HEAD')
  }
  const projects = await call(`${house.url}/api/v1/projects/`, { method: 'PUT' })
  assertRefused(projects, 405, 'method_not_allowed')
  assert.equal(projects.headers.get('allow'), 'GET, HEAD, PATCH, DELETE')
})

test('methods no browser can send are 405 like any other', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH']) {
    const answer = await sendRaw(
      house.url,
      `${method} /api/payment HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    )
    assertRefused(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'POST')
  }
})

test('a body that is not JSON is 400', async () => {
  for (const body of ['{', '', 'amount=1', '{"a":1}}', '\u0000', "{'a': 1}", '[1', 'undefined', 'NaN']) {
    assertRefused(await post(`${house.url}/api/payment`, body, house.secretKey), 400, 'malformed_body')
  }
})

test('JSON that is not an object is 400', async () => {
  for (const body of ['[]', '"text"', '1', 'null', 'true']) {
    assertRefused(await post(`${house.url}/api/payment`, body, house.secretKey), 400, 'malformed_body')
  }
})

test('a body of another type is 415', async () => {
  const body = JSON.stringify(paymentRequest())
  for (const type of ['application/jsonp', 'json', 'text/html', 'application/xml']) {
    const answer = await post(`${house.url}/api/payment`, body, house.secretKey, { 'content-type': type })
    assertRefused(
      answer,
      415,
      'unsupported_media_type',
      'The request body must be JSON: send it with Content-Type: application/json',
    )
  }
})

test('JSON with a charset is JSON', async () => {
  const types = ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'APPLICATION/JSON']
  for (const type of types) {
    const answer = await post(`${house.url}/api/payment`, paymentRequest(), house.secretKey, {
      'content-type': type,
    })
    assert.equal(answer.status, 201, type)
  }
})

test('a body of more than 64 KiB is 413, announced or not', async () => {
  const large = JSON.stringify(paymentRequest({ meta: 'a'.repeat(64 * 1024) }))
  const announced = await post(`${house.url}/api/payment`, large, house.secretKey)
  assertRefused(announced, 413, 'body_too_large', 'The request body is larger than 64 KiB: send less')

  const size = (70 * 1024).toString(16)
  const chunked = await sendRaw(
    house.url,
    `POST /api/payment HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${house.secretKey}\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n` +
      `${size}\r\n${'a'.repeat(70 * 1024)}\r\n0\r\n\r\n`,
  )
  assertRefused(chunked, 413, 'body_too_large')
})

test('headers that are too large are 431', async () => {
  const answer = await sendRaw(
    house.url,
    `GET /healthz HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
  )
  assertRefused(answer, 431, 'headers_too_large')
})

test('a URL that is too long is refused in the envelope', async () => {
  assertRefused(
    await call(`${house.url}/api/transaction/${'a'.repeat(5_000)}`, { key: house.secretKey }),
    414,
    'uri_too_long',
  )
  const endless = await sendRaw(house.url, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)
  assertRefused(endless, 431, 'headers_too_large')
})

test('a URL with broken percent-encoding is 400 in the envelope', async () => {
  for (const path of [
    '/api/transaction/%',
    '/api/transaction/%zz',
    '/api/transaction/%ff%fe',
    '/%',
    '/api/payment%',
  ]) {
    const answer = await sendRaw(
      house.url,
      `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${house.secretKey}\r\nconnection: close\r\n\r\n`,
    )
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual(answer.json.errors, { address: [answer.json.message] }, path)
  }
})

test('a request that isn’t HTTP is 400 in the envelope', async () => {
  const requests = [
    'HELLO\r\n\r\n',
    'GET /healthz HTTP/9.9\r\nhost: a\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nbroken header\r\n\r\n',
    'POST /api/payment HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/payment HTTP/1.1\r\nhost: a\r\ncontent-length: many\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
  ]
  for (const text of requests) {
    assertRefused(await sendRaw(house.url, text), 400, 'malformed_body', 'The request is not valid HTTP')
  }
})

test('a request without Host is 400 in the envelope, not an empty page', async () => {
  const answer = await sendRaw(house.url, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')
  assertRefused(answer, 400, 'malformed_body', /Host header is missing/)
})

test('a request with two Host headers is 400, equal or not, as a proxy and Florin could use different ones', async () => {
  for (const second of ['Host: evil.example', 'host: a', 'HOST:']) {
    const answer = await sendRaw(
      house.url,
      `GET /healthz HTTP/1.1\r\nHost: a\r\n${second}\r\nconnection: close\r\n\r\n`,
    )
    assertRefused(answer, 400, 'malformed_body', /more than one Host header/)
  }
})

test('an unknown expectation is ignored', async () => {
  const answer = await sendRaw(
    house.url,
    'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: a-pony\r\nconnection: close\r\n\r\n',
  )
  assert.equal(answer.status, 200)
  assert.equal(answer.json.status, 'success')
})

test('an upload that misses the request timeout is 408', async (t) => {
  const arrives = once(house.app.server.server, 'request')
  const socket = openSocket(house.url)
  socket.write(
    `POST /api/payment HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${house.secretKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"tx_ref"`,
  )
  const answer = readAnswer(socket)
  await arrives
  t.after(hurry(house))
  assertRefused(await answer, 408, 'request_timeout')
})

test('a request refused before its body isn’t refused again when the body never arrives', async (t) => {
  const socket = openSocket(house.url)
  socket.write('POST /api/payment HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"tx_ref"')
  const answer = readAnswer(socket)
  await once(socket, 'data')
  t.after(hurry(house))
  assertRefused(await answer, 401, 'unauthorized', 'Authorization is required')
})

test('an aborted upload harms nothing and isn’t logged as our error', async () => {
  const connections = async (): Promise<number> =>
    new Promise((resolve) => house.app.server.server.getConnections((_, count) => resolve(count)))
  const socket = openSocket(house.url)
  socket.write(
    `POST /api/payment HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${house.secretKey}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"tx_ref"`,
  )
  await once(socket, 'connect')
  const open = await connections()
  socket.destroy()
  await waitUntil('the server noticed', async () => (await connections()) < open)
  assert.equal((await post(`${house.url}/api/payment`, paymentRequest(), house.secretKey)).status, 201)
})

test('none of these requests was logged as our error', () => {
  const lines = house.log().split('\n')
  assert.deepEqual(
    lines.filter((line) => /"level":"(error|fatal)"/.test(line) || /"status":5/.test(line)),
    [],
  )
})

test('each answer has its own id, and the client’s id is ignored', async () => {
  const headers = { 'x-request-id': 'mine' }
  const ids = new Set<string | null>()
  for (let count = 0; count < 5; count += 1) {
    ids.add((await call(`${house.url}/healthz`, { headers })).headers.get('x-request-id'))
  }
  assert.equal(ids.size, 5)
  assert.equal(ids.has('mine'), false)
})

test('a success has the default headers too', async () => {
  const answer = await call(`${house.url}/healthz`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  for (const [name, value] of Object.entries(securityHeaders))
    assert.equal(answer.headers.get(name), value, name)
})
