import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeTurns } from './turns.ts'

/** Work that goes on until it is told how it ended, and a list of what has begun. */
function makeWork() {
  const begun: number[] = []
  const ends = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  const work = (merchantId: number) => async (): Promise<void> => {
    begun.push(merchantId)
    await new Promise<void>((resolve, reject) => ends.set(merchantId, { resolve, reject }))
  }
  return { begun, ends, work }
}

test('a limited number of merchants run at once, and the next starts when one is done', async () => {
  const turns = makeTurns(2)
  const { begun, ends, work } = makeWork()
  const all = [1, 2, 3, 4].map(async (merchantId) => turns.run(merchantId, work(merchantId)))
  assert.deepEqual(begun, [1, 2])
  ends.get(2)?.resolve()
  await nextTurn()
  assert.deepEqual(begun, [1, 2, 3])
  for (const merchantId of [1, 3]) ends.get(merchantId)?.resolve()
  await nextTurn()
  ends.get(4)?.resolve()
  await Promise.all(all)
})

test('failing merchants queue behind one another, and nobody waits for them', async () => {
  const turns = makeTurns(2)
  for (const merchantId of [1, 2, 3]) {
    await assert.rejects(turns.run(merchantId, async () => Promise.reject(new Error('its node is away'))))
    assert.ok(turns.isInTrouble(merchantId))
  }
  const { begun, ends, work } = makeWork()
  const inTrouble = [1, 2, 3].map(async (merchantId) => turns.run(merchantId, work(merchantId)))
  assert.deepEqual(begun, [1])
  for (const merchantId of [4, 5])
    assert.equal(await turns.run(merchantId, async () => merchantId), merchantId)

  for (const merchantId of [1, 2, 3]) {
    ends.get(merchantId)?.resolve()
    await nextTurn()
    assert.equal(turns.isInTrouble(merchantId), false, 'what works again is in trouble no more')
  }
  await Promise.all(inTrouble)
})
