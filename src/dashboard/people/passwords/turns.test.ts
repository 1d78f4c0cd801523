import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTurns, TooManyAtOnce, type Asker } from './turns.ts'

// One turn at a time is taken by the test itself; `end` ends it, and each asker's turn is noted when it begins.

async function fullHouse(waitingMax: number) {
  const turns = makeTurns({ atOnce: 1, waitingMax })
  const end = await turns.take({ queue: 'open', share: 'first' })
  const order: string[] = []
  const ask = async (queue: Asker['queue'], share: string, name = share): Promise<string> => {
    try {
      const release = await turns.take({ queue, share })
      order.push(name)
      release()
      return 'in'
    } catch (error) {
      assert.ok(error instanceof TooManyAtOnce)
      return 'refused'
    }
  }
  return { turns, end, order, ask }
}

test('known browsers come first, then proofs of work, then everybody else', async () => {
  const { end, order, ask } = await fullHouse(10)
  const all = [ask('open', 'open'), ask('proven', 'proven'), ask('known', 'known')]
  end()
  assert.deepEqual(await Promise.all(all), ['in', 'in', 'in'])
  assert.deepEqual(order, ['known', 'proven', 'open'])
})

test('networks take turns, however many wait from one of them', async () => {
  const { end, order, ask } = await fullHouse(10)
  const all = [ask('open', 'a', 'a1'), ask('open', 'a', 'a2'), ask('open', 'a', 'a3'), ask('open', 'b', 'b1')]
  end()
  await Promise.all(all)
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'a3'])
})

test('a full queue makes room for a network with fewer, at the cost of the largest', async () => {
  const { end, order, ask } = await fullHouse(3)
  const crowd = [ask('open', 'a', 'a1'), ask('open', 'a', 'a2'), ask('open', 'a', 'a3')]
  const other = ask('open', 'b', 'b1')
  const more = ask('open', 'a', 'a4')
  const third = ask('open', 'c', 'c1')
  end()
  assert.deepEqual(await Promise.all(crowd), ['in', 'refused', 'refused'])
  assert.deepEqual(await Promise.all([other, more, third]), ['in', 'refused', 'in'])
  assert.deepEqual(order, ['a1', 'b1', 'c1'])
})

test('a full queue of strangers refuses neither known browsers nor proofs', async () => {
  const { turns, end, ask } = await fullHouse(4)
  const strangers = Array.from({ length: 4 }, async (_, n) => ask('open', `network ${n}`))
  assert.equal(turns.isBusy(), true)
  const late = ask('open', 'one more')
  const [known, proven] = [ask('known', 'ada'), ask('proven', 'one more')]
  end()
  assert.deepEqual(await Promise.all([late, known, proven]), ['refused', 'in', 'in'])
  assert.deepEqual(await Promise.all(strangers), ['in', 'in', 'in', 'in'])
  assert.equal(turns.isBusy(), false)
})

test('a queue that is half full is busy', async () => {
  const { turns, end, ask } = await fullHouse(4)
  const first = ask('open', 'a')
  assert.equal(turns.isBusy(), false)
  const second = ask('open', 'b')
  assert.equal(turns.isBusy(), true)
  end()
  await Promise.all([first, second])
})
