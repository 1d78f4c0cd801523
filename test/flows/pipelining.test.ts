import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../support/house.ts'
import { hurry } from '../support/hurry.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { openSocket } from '../support/raw-request.ts'

// Many requests on one connection without waiting for answers: each is answered, in order.

let house: House

before(async () => {
  house = await openHouse()
})
after(() => house.close())

function request(method: string, path: string, body?: string): string {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${house.secretKey}`]
  if (body !== undefined)
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** `onAnswer`: called with each part of the answers. */
async function sendAll(text: string, onAnswer = () => {}): Promise<{ statuses: number[]; text: string }> {
  const socket = openSocket(house.url)
  let answer = ''
  socket
    .setEncoding('utf8')
    .on('data', (part: string) => (answer += part))
    .on('data', onAnswer)
  socket.write(text)
  await once(socket, 'close')
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
  return { statuses, text: answer }
}

const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

test('fifty requests in one write are answered in order, each create once', async () => {
  const bodies = Array.from({ length: 25 }, () => paymentRequest())
  const requests = bodies.flatMap((body) => [
    request('POST', '/api/payment', JSON.stringify(body)),
    request('GET', `/api/transaction/${String(body['tx_ref'])}`),
  ])
  const { statuses, text } = await sendAll(requests.join('') + last)
  assert.equal(statuses.length, requests.length + 1)
  assert.deepEqual(new Set(statuses.filter((_, index) => index % 2 === 0)), new Set([201, 200]))
  assert.equal(text.match(/Payment link created/g)?.length, bodies.length)
})

test('a body that is not JSON is refused and closes the connection; earlier requests keep their answers', async () => {
  const good = request('POST', '/api/payment', JSON.stringify(paymentRequest()))
  const { statuses, text } = await sendAll(good + request('POST', '/api/payment', '{"tx_ref":') + last)
  assert.deepEqual(statuses, [201, 400])
  assert.match(text, /"code":"malformed_body"/)
})

test('input that isn’t HTTP is refused after earlier answers, and closes the connection', async () => {
  const creates = Array.from({ length: 5 }, () =>
    request('POST', '/api/payment', JSON.stringify(paymentRequest())),
  )
  const garbage = 'HELLO\r\n\r\n'
  const { statuses, text } = await sendAll(creates.join('') + garbage + garbage + last)
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 400])
  assert.match(text, /The request is not valid HTTP/)
})

test('a body that breaks HTTP is refused at once, and after earlier answers', async () => {
  const broken = `${request('POST', '/api/payment').trimEnd()}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n`
  const good = request('POST', '/api/payment', JSON.stringify(paymentRequest()))
  assert.deepEqual((await sendAll(broken)).statuses, [400])
  assert.deepEqual((await sendAll(good + broken)).statuses, [201, 400])
})

test('an answer that closes the connection isn’t cut short by invalid input behind it', async () => {
  const { statuses, text } = await sendAll(`${last}HELLO\r\n\r\n`)
  assert.equal(statuses[0], 200)
  assert.match(text, /"status":"success"/)
})

test('an incomplete header is 408 after earlier answers', async (t) => {
  const good = request('POST', '/api/payment', JSON.stringify(paymentRequest()))
  let isHurried = false
  const { statuses } = await sendAll(`${good}GET /healthz HTTP/1.1\r\nHost: loc`, () => {
    if (!isHurried) t.after(hurry(house))
    isHurried = true
  })
  assert.deepEqual(statuses, [201, 408])
})
