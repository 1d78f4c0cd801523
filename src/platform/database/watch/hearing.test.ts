import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database } from '../database.ts'
import { listenPatiently } from '../../../../test/support/listen-patiently.ts'
import { watchHearing } from './hearing.ts'

test('a listener that misses notifications is distrusted until it receives one again', async () => {
  const [home, elsewhere] = [await createTestDatabase(), await createTestDatabase()]
  // Notifications stay within a database, so one that is said elsewhere is not heard.
  const [db, otherDb] = [new Database(home.url), new Database(elsewhere.url)]
  const listener = listenPatiently(home.url)
  const changes: boolean[] = []
  const options = { everyMs: 3_600_000, onChange: (isHeard: boolean) => void changes.push(isHeard) }
  const hearing = watchHearing(db, listener, { ...options, withinMs: 300_000 })
  const deaf = watchHearing(otherDb, listener, { ...options, withinMs: 200 })
  try {
    await waitUntil('it listens', () => listener.connected)
    assert.equal(await hearing.check(), true)
    assert.deepEqual(changes, [])

    assert.equal(await deaf.check(), false)
    assert.equal(listener.connected, false, 'nothing that is cached may be believed')
    assert.deepEqual(changes, [false])

    listener.believe(true)
    await waitUntil('it is believed', () => listener.connected)
  } finally {
    for (const one of [hearing, deaf]) one.close()
    await listener.close()
    await Promise.all([db.close(), otherDb.close()])
    await Promise.all([home.drop(), elsewhere.drop()])
  }
})
