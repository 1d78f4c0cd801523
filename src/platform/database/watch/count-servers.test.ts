import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database } from '../database.ts'
import { listenPatiently } from '../../../../test/support/listen-patiently.ts'
import { countServers } from './count-servers.ts'

test('listening servers are counted and workers are not; the count is at least one', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  const servers = countServers(db)
  await servers.refresh()
  assert.equal(servers.count, 1)
  const roles = ['florin server', 'florin server', 'florin server and worker', 'florin worker'] as const
  const listeners = roles.map((role) => listenPatiently(home.url, role))
  try {
    await waitUntil('all listen', () => listeners.every(({ connected }) => connected))
    await servers.refresh()
    assert.equal(servers.count, 3)
  } finally {
    servers.close()
    await Promise.all(listeners.map(async (one) => one.close()))
    await db.close()
    await home.drop()
  }
})
