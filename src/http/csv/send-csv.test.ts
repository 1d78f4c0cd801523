import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { makeSendCsv } from './send-csv.ts'

test('an export that could not begin leaves its place to the next', async () => {
  const send = makeSendCsv(1)
  let isAway = true
  async function* pages(): AsyncGenerator<string[][]> {
    if (isAway) throw new Error('the database is away')
    yield [['1']]
  }
  const server = fastify()
  server.get('/', async (_, reply) => send(reply, 7, { filename: 'a.csv', header: ['n'], pages: pages() }))
  const statuses: number[] = []
  for (let one = 0; one < 3; one += 1) statuses.push((await server.inject('/')).statusCode)
  isAway = false
  const { statusCode, body } = await server.inject('/')
  assert.deepEqual([...statuses, statusCode], [500, 500, 500, 200])
  assert.match(body, /^\ufeff?n\r\n1\r\n$/)
  await server.close()
})
