import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { noteCaller, type KnownCaller } from './note-answer.ts'

const caller: KnownCaller = { keyId: 'key_1', merchantId: 12345678, mode: 'test' }

test('each answer is logged and timed once, by its route, and reported with its key’s owner', async (t) => {
  const told: unknown[] = []
  const { server, lines, figures } = makeBareServer(t, {
    onAnswer: (request, reply, known, ms) => told.push([request.id, reply.statusCode, known, ms >= 0]),
  })
  server.get('/thing/:name', async (request, reply) => {
    if (request.headers.authorization !== undefined) noteCaller(request, caller)
    return reply.code((request.params as { name: string }).name === 'secret-1' ? 200 : 404).send('')
  })
  const ask = async (name: string, headers = {}) =>
    (await server.inject({ url: `/thing/${name}`, headers })).headers['x-request-id']
  const known = { authorization: 'Bearer key' }
  const ids = [await ask('secret-1', known), await ask('secret-1'), await ask('secret-2', known)]

  assert.deepEqual(told, [
    [ids[0], 200, caller, true],
    [ids[2], 404, caller, true],
  ])
  const line = { level: 'info', method: 'GET', route: '/thing/:name', address: '127.0.0.1' }
  const owner = { key_id: 'key_1', merchant: 12345678 }
  assert.deepEqual(
    lines.map((text) => {
      const { time, ms, ...rest } = JSON.parse(text) as Record<string, unknown>
      assert.ok(typeof ms === 'number' && ms >= 0)
      assert.ok(Date.parse(String(time)) <= Date.now())
      return rest
    }),
    [
      { ...line, request_id: ids[0], status: 200, ...owner },
      { ...line, request_id: ids[1], status: 200 },
      { ...line, request_id: ids[2], status: 404, ...owner },
    ],
  )
  const counts = await figures('florin_http_request_seconds_count')
  assert.deepEqual(counts.toSorted(), [
    'florin_http_request_seconds_count{method="GET",route="/thing/:name",status="200"} 2',
    'florin_http_request_seconds_count{method="GET",route="/thing/:name",status="404"} 1',
  ])
})

test('durations are reported in seconds', async (t) => {
  let ms = 0
  const { server, figures } = makeBareServer(t, { onAnswer: (_, __, ___, took) => (ms = took) })
  server.get('/', async (request) => {
    noteCaller(request, caller)
    return ''
  })
  await server.inject('/')
  const [sum = ''] = await figures('florin_http_request_seconds_sum')
  assert.ok(ms > 0)
  assert.equal(Number(sum.split(' ').at(-1)), ms / 1000)
})
