import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Refusal } from '../../errors/refusals.ts'
import type { Cell } from './csv-line.ts'
import { makeSendCsv } from './send-csv.ts'

type Pages = AsyncIterable<readonly (readonly Cell[])[]>

/** Sends the pages of whose number is asked for, `atOnceMax` exports at a time. */
function openExports(t: TestContext, atOnceMax: number, pagesOf: (whose: number) => Pages): FastifyInstance {
  const send = makeSendCsv(atOnceMax)
  const server = fastify()
  server.get('/:whose', async (request, reply) => {
    const whose = Number((request.params as { whose: string }).whose)
    return send(reply, whose, { filename: 'a.csv', header: ['n', 'name'], pages: pagesOf(whose) })
  })
  server.setErrorHandler((error, _, reply) => {
    if (!(error instanceof Refusal)) throw error
    return reply.code(error.status).headers(error.headers).send(error.message)
  })
  t.after(() => server.close())
  return server
}

/** A place is free again once the body is closed, some turns after its last byte. */
async function untilTaken(take: () => Promise<boolean>): Promise<void> {
  await waitUntil('there is room for another export', take)
}

test('a list is sent page by page below its header, and an empty page adds nothing', async (t) => {
  const server = openExports(t, 1, async function* () {
    yield [
      [1, 'a'],
      [2, '=b'],
    ] as const
    yield []
    yield [[3, null]] as const
  })
  const { headers, body, statusCode } = await server.inject('/1')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.equal(headers['content-disposition'], 'attachment; filename="a.csv"')
  assert.equal(body, "n,name\r\n1,a\r\n2,'=b\r\n3,\r\n")
})

test('a finished file is sent as it is, with its own type', async (t) => {
  const send = makeSendCsv(1)
  const server = fastify()
  t.after(() => server.close())
  server.get('/', async (_, reply) => {
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from([0xfc, 0x0d])
      yield Buffer.from([0x0a])
    }
    return send(reply, 1, { filename: 'a.csv', type: 'text/csv; charset=windows-1252', pieces: pieces() })
  })
  const { headers, rawPayload } = await server.inject('/')
  assert.equal(headers['content-type'], 'text/csv; charset=windows-1252')
  assert.equal(headers['content-disposition'], 'attachment; filename="a.csv"')
  assert.deepEqual([...rawPayload], [0xfc, 0x0d, 0x0a])
})

test('an export that fails to start frees its slot', async (t) => {
  let isAway = true
  const server = openExports(t, 1, async function* () {
    if (isAway) throw new Error('the database is away')
    yield [[1, 'a']] as const
  })
  const statuses: number[] = []
  for (let one = 0; one < 3; one += 1) statuses.push((await server.inject('/7')).statusCode)
  isAway = false
  const { statusCode, body } = await server.inject('/7')
  assert.deepEqual([...statuses, statusCode], [500, 500, 500, 200])
  assert.equal(body, 'n,name\r\n1,a\r\n')
})

test('a HEAD request gets headers only, and no page is read', async (t) => {
  let read = 0
  const server = openExports(t, 1, async function* () {
    read += 1
    yield [[1, 'a']] as const
  })
  const { statusCode, headers, body } = await server.inject({ method: 'HEAD', url: '/7' })
  assert.deepEqual([statusCode, body], [200, ''])
  assert.equal(headers['content-disposition'], 'attachment; filename="a.csv"')
  await untilTaken(async () => (await server.inject({ method: 'HEAD', url: '/7' })).statusCode === 200)
  assert.equal(read, 0)
  await untilTaken(async () => (await server.inject('/7')).body === 'n,name\r\n1,a\r\n')
})

test('exports are limited per merchant, and each finished export frees a slot', async (t) => {
  const ends: (() => void)[] = []
  const server = openExports(t, 2, async function* () {
    await new Promise<void>((resolve) => ends.push(resolve))
    yield [[1, 'a']] as const
  })
  /** Whether an export began, or was refused. */
  const take = async (whose: number): Promise<boolean> => {
    const count = ends.length
    let isRefused = false
    void server.inject(`/${whose}`).then(({ statusCode }) => (isRefused ||= statusCode === 429))
    await waitUntil('it began or was refused', () => isRefused || ends.length > count)
    return !isRefused
  }
  assert.deepEqual([await take(7), await take(7), await take(7)], [true, true, false])
  const { headers, body } = await server.inject('/7')
  assert.equal(headers['retry-after'], '5')
  assert.equal(body, '2 exports are already running, try again when one has finished')
  assert.equal(await take(8), true)

  ends[0]?.()
  await untilTaken(async () => take(7))
  assert.equal(await take(7), false, 'one that ended makes room for one')
  for (const end of ends) end()
  await untilTaken(async () => take(7))
  await untilTaken(async () => take(7))
  assert.equal(await take(7), false)
  for (const end of ends) end()
})

test('when the client disconnects, the pages and the slot are released', async (t) => {
  let isLetGo = false
  const server = openExports(t, 1, async function* () {
    try {
      for (;;) yield Array.from({ length: 1_000 }, () => [1, 'a'] as const)
    } finally {
      isLetGo = true
    }
  })
  const url = await server.listen()
  const leave = new AbortController()
  const answer = await fetch(`${url}/7`, { signal: leave.signal })
  await answer.body?.getReader().read()
  leave.abort()
  await untilTaken(async () => (await fetch(`${url}/7`, { method: 'HEAD' })).status === 200)
  assert.equal(isLetGo, true)
})
