import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call } from '../support/house.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// Two servers on one port, as on a machine with two cores. Only Linux shares connections out among them.

const skip = process.platform !== 'linux'
let database: TestDatabase
const servers: ServerProcess[] = []

before(async () => {
  if (skip) return
  database = await createTestDatabase()
  const first = await startServerProcess(database.url, { SHARE_PORT: 'on' })
  const second = { SHARE_PORT: 'on', PORT: new URL(first.url).port }
  servers.push(first, await startServerProcess(database.url, second))
})
after(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await database?.drop()
})

/** The word of the process in a request's id; each call on a connection of its own. */
async function whoAnswers(): Promise<string> {
  const { status, headers } = await call(`${servers[0]?.url}/healthz`, { headers: { connection: 'close' } })
  assert.equal(status, 200)
  return String(headers.get('x-request-id')).slice(0, 16)
}

test('servers sharing a port both answer, and when one stops the other continues', { skip }, async () => {
  const answered = new Set<string>()
  await waitUntil('both have answered', async () => answered.add(await whoAnswers()).size === 2)
  await servers.pop()?.stop()
  const left = new Set<string>()
  for (let count = 0; count < 20; count += 1) left.add(await whoAnswers())
  assert.equal(left.size, 1)
})

test('without SHARE_PORT a second server is refused the port', { skip }, async () => {
  const port = new URL(servers[0]?.url ?? '').port
  await assert.rejects(startServerProcess(database.url, { PORT: port }), /ended with 69/)
})
