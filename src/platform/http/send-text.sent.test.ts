import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { jsonType, success } from './envelope.ts'
import { sendText, sentText } from './send-text.ts'

const plain = 'text/plain; charset=utf-8'
const json = JSON.stringify(success('Grüße', null))

test('a text is sent with its length in bytes, as 200 by default, and the connection stays open', async (t) => {
  const { server } = makeBareServer(t)
  server.get('/', (_, reply) => sendText(reply, { type: plain, body: 'Grüße' }))
  server.get('/bytes', (_, reply) => sendText(reply, { type: plain, body: Buffer.from('Grüße') }))
  server.get('/ascii', (_, reply) => sendText(reply, { status: 201, type: plain, body: 'Gr', isAscii: true }))
  for (const [url, status, body, length] of [
    ['/', 200, 'Grüße', '7'],
    ['/bytes', 200, 'Grüße', '7'],
    ['/ascii', 201, 'Gr', '2'],
  ] as const) {
    const answer = await server.inject(url)
    assert.deepEqual([answer.statusCode, answer.body], [status, body])
    assert.equal(answer.headers['content-length'], length)
    assert.notEqual(answer.headers.connection, 'close')
  }
})

test('an empty header removes the default one and leaves the others', async (t) => {
  const { server } = makeBareServer(t)
  server.get('/', (_, reply) =>
    sendText(reply, { type: plain, body: '', headers: { 'x-frame-options': '' } }),
  )
  const { headers } = await server.inject('/')
  assert.equal('x-frame-options' in headers, false)
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test('a JSON response can be read back afterwards, however it was sent', async (t) => {
  const { server } = makeBareServer(t)
  const known: Record<string, string | undefined> = {}
  server.addHook('onResponse', (request, reply, done) => {
    known[request.url] = sentText(reply)
    done()
  })
  server.get('/json', (_, reply) => sendText(reply, { type: jsonType, body: json }))
  server.get('/json-in-bytes', (_, reply) => sendText(reply, { type: jsonType, body: Buffer.from(json) }))
  server.get('/text', (_, reply) => sendText(reply, { type: plain, body: json }))
  server.get('/slow/json', async (_, reply) => reply.header('content-type', jsonType).send(json))
  server.get('/slow/json-in-bytes', async (_, reply) =>
    reply.header('content-type', jsonType).send(Buffer.from(json)),
  )
  server.get('/slow/text', async (_, reply) => reply.header('content-type', plain).send(json))
  const paths = ['/json', '/json-in-bytes', '/text', '/slow/json', '/slow/json-in-bytes', '/slow/text']
  for (const path of paths) assert.equal((await server.inject(path)).body, json)
  assert.deepEqual(known, {
    '/json': json,
    '/json-in-bytes': undefined,
    '/text': undefined,
    '/slow/json': json,
    '/slow/json-in-bytes': undefined,
    '/slow/text': undefined,
  })
})

test('responses during shutdown close their connection, earlier ones don’t', async (t) => {
  const { server } = makeBareServer(t)
  const begun: (() => void)[] = []
  const held = async (): Promise<void> => new Promise((resolve) => begun.push(resolve))
  server.get('/text', async (_, reply) => {
    await held()
    return sendText(reply, { type: plain, body: '' })
  })
  server.get('/slow', async () => held())
  const stopping = new Promise<void>((resolve) => {
    server.addHook('preClose', async () => resolve())
  })
  const ask = async () => Promise.all(['/text', '/slow'].map(async (path) => server.inject(path)))
  const whenBegun = async (count: number): Promise<void> => {
    while (begun.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  const before = ask()
  await whenBegun(2)
  for (const answer of begun) answer()
  for (const { headers } of await before) assert.notEqual(headers.connection, 'close')
  const during = ask()
  await whenBegun(4)
  const closed = server.close()
  await stopping
  for (const answer of begun) answer()
  for (const { headers } of await during) assert.equal(headers.connection, 'close')
  await closed
})
