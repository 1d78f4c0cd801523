import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import { makeRateLimit, spendRequest } from './rate-limit.ts'

test('every answer to a key states its remaining limit, even a refusal', async (t) => {
  const { server } = makeBareServer(t)
  const limit = makeRateLimit({ perSecond: 1, burst: 2 }, () => 0)
  server.get('/:key', async (request, reply) => {
    spendRequest(limit, (request.params as { key: string }).key, reply)
    return ''
  })
  const ask = async (key: string): Promise<unknown[]> => {
    const { statusCode, headers } = await server.inject(`/${key}`)
    assert.equal(headers['ratelimit-policy'], '"requests";q=2;w=2')
    return [statusCode, headers['ratelimit'], headers['retry-after']]
  }
  assert.deepEqual(await ask('a'), [200, '"requests";r=1;t=1', undefined])
  assert.deepEqual(await ask('a'), [200, '"requests";r=0;t=2', undefined])
  assert.deepEqual(await ask('a'), [429, '"requests";r=0;t=2', '1'])
  assert.deepEqual(await ask('b'), [200, '"requests";r=1;t=1', undefined])
})
