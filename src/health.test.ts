import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../test/support/database.ts'
import { call, testConfig, type Answer } from '../test/support/house.ts'
import { testKeyRing } from '../test/support/secrets.ts'
import { makeApp } from './app.ts'
import { makeLog } from './http/log.ts'

test('a server that has begun to stop is alive and no longer ready, so that the proxy sends its customers elsewhere', async (t) => {
  const home = await createTestDatabase()
  t.after(() => home.drop())
  const app = makeApp(testConfig(), home.url, testKeyRing(), makeLog('silent'))
  let url = ''
  const whileStopping: Answer[] = []
  // The last moment in which it still takes requests.
  app.server.addHook('preClose', async () => {
    for (const path of ['readyz', 'healthz']) whileStopping.push(await call(`${url}/${path}`))
  })
  try {
    url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const before = await call(`${url}/readyz`)
    assert.deepEqual([before.status, before.json.data], [200, { ready: true, processes: [] }])
  } finally {
    await app.close()
  }
  const [ready, alive] = whileStopping
  assert.deepEqual([ready?.status, ready?.json.code], [503, 'unavailable'])
  assert.equal(ready?.json.message, 'Florin is shutting down')
  assert.equal(ready?.headers.get('retry-after'), '2')
  assert.equal(alive?.status, 200)
})
