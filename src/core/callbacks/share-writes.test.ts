import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { makeWakeWorkers } from './share-writes.ts'

test('wake-ups during a running one share the next, and a failed one blocks none', async () => {
  const sent: PromiseWithResolvers<unknown[]>[] = []
  const db = {
    async query() {
      const one = Promise.withResolvers<unknown[]>()
      sent.push(one)
      return one.promise
    },
  } as unknown as Database
  const wake = makeWakeWorkers(db)
  for (let times = 0; times < 3; times += 1) wake()
  assert.equal(sent.length, 1)
  sent[0]?.resolve([])
  await turn()
  assert.equal(sent.length, 2, 'one for both that came meanwhile')
  sent[1]?.reject(new Error('the database is away'))
  await turn()
  assert.equal(sent.length, 2, 'nobody asked for a third')
  wake()
  assert.equal(sent.length, 3)
  sent[2]?.resolve([])
})
