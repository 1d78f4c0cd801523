import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '../errors/refusals.ts'
import { addBodies, addOtherBodies, addSlowBodies, notUtf8, readUtf8 } from './body-text.ts'

/** Says who read the body, and what it read. */
function openEcho(): FastifyInstance {
  const server = fastify()
  addOtherBodies(server, (_, bytes) => ['other', bytes.toString()])
  addBodies(server, 'text/quick', (_, bytes) => ['quick', bytes.toString()])
  addSlowBodies(server, 'text/slow', async (_, bytes) => ['slow', bytes.toString()])
  server.post('/', async (request) => request.body ?? ['nobody'])
  server.setErrorHandler((error, _, reply) => {
    if (!(error instanceof Refusal)) throw error
    return reply.code(error.status).headers(error.headers).send([error.code, error.message])
  })
  return server
}

const types = [
  ['quick', 'text/quick'],
  ['slow', 'text/slow'],
  ['other', 'text/odd'],
  // Fastify has readers of its own for these two.
  ['other', 'application/json'],
  ['other', 'text/plain'],
] as const

test('each content type has its reader, and an empty body has none', async () => {
  const server = openEcho()
  for (const [reader, type] of types) {
    const post = async (payload: string) =>
      (await server.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload })).json()
    assert.deepEqual(await post('{'), [reader, '{'], type)
    assert.deepEqual(await post(''), ['nobody'], type)
  }
  await server.close()
})

test('an uncompressed Content-Encoding is accepted, a compressed body is refused', async () => {
  const server = openEcho()
  for (const [reader, type] of types) {
    const post = async (encoding: string, payload: string) =>
      server.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': type, 'content-encoding': encoding },
        payload,
      })
    for (const plain of ['', 'identity', 'Identity']) {
      assert.deepEqual((await post(plain, 'a')).json(), [reader, 'a'], `${type} ${plain}`)
    }
    for (const packed of ['gzip', 'br', 'identity, gzip']) {
      const refused = await post(packed, 'a')
      assert.equal(refused.statusCode, 415)
      assert.equal(refused.headers['accept-encoding'], 'identity')
      assert.deepEqual(refused.json(), [
        'unsupported_media_type',
        'The request body must not be compressed: send it without Content-Encoding',
      ])
      assert.deepEqual((await post(packed, '')).json(), ['nobody'], 'nothing is packed in nothing')
    }
  }
  await server.close()
})

test('bytes that aren’t valid text are refused', () => {
  assert.equal(readUtf8(Buffer.from('Müller 💷')), 'Müller 💷')
  assert.throws(() => readUtf8(Buffer.from('Müller', 'latin1')), {
    code: 'malformed_body',
    message: 'The request body is not valid UTF-8',
  })
  assert.equal(notUtf8(': try again').message, 'The request body is not valid UTF-8: try again')
})
