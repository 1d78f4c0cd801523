import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAttemptQueue, patienceMs, type Release, type AttemptQueue } from './line.ts'

/** Enters and says who is in; those who wait are not. */
async function crowd(line: AttemptQueue, names: readonly string[], count: number): Promise<Release[]> {
  const inside: Release[] = []
  for (let one = 0; one < count; one += 1) void line.enter(names).then((leave) => leave && inside.push(leave))
  await turns()
  return inside
}

async function turns(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('the first few attempts start, and the others wait for their results', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const inside = await crowd(makeAttemptQueue(5), ['a'], 300)
  assert.equal(inside.length, 5)
})

test('each success lets one more start: a crowd is soon through', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const inside = await crowd(makeAttemptQueue(5), ['a'], 300)
  let rounds = 0
  for (let done = 0; done < 300; rounds += 1) {
    const going = inside.splice(0)
    done += going.length
    for (const leave of going) leave('paid')
    await turns()
  }
  assert.ok(rounds <= 7, `${rounds} rounds`)
})

test('declines let fewer and fewer start, down to one at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const inside = await crowd(makeAttemptQueue(5), ['a'], 300)
  for (const leave of inside.splice(0)) leave('declined')
  await turns()
  assert.equal(inside.length, 1)
})

test('an attempt without a result yet only frees its slot', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const inside = await crowd(makeAttemptQueue(2), ['a'], 10)
  for (const leave of inside.splice(0)) leave('open')
  await turns()
  assert.equal(inside.length, 2)
})

test('an attempt with an address and a card waits for both, and others pass', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = makeAttemptQueue(1)
  const [first] = await crowd(line, ['address', 'card'], 1)
  assert.equal((await crowd(line, ['address', 'other'], 1)).length, 0)
  assert.equal((await crowd(line, ['third', 'card'], 1)).length, 0)
  assert.equal((await crowd(line, ['fourth', 'fifth'], 1)).length, 1)
  first?.('paid')
})

test('the queue holds a thousand', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = makeAttemptQueue(1)
  await crowd(line, ['a'], 1_001)
  assert.equal(await line.enter(['a']), undefined)
})

test('an attempt waits only seconds for those before it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = makeAttemptQueue(1)
  const inside = await crowd(line, ['a'], 3)
  assert.equal(inside.length, 1)
  t.mock.timers.tick(patienceMs)
  await turns()
  assert.equal(inside.length, 3)
  for (const leave of inside) leave('open')
  assert.equal((await crowd(line, ['a'], 2)).length, 1)
})

test('an address’s record is forgotten a minute after it left', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const line = makeAttemptQueue(1, () => now)
  const [leave] = await crowd(line, ['a'], 1)
  leave?.('paid')
  now += 30_000
  const two = await crowd(line, ['a'], 2)
  assert.equal(two.length, 2)
  for (const each of two) each('open')
  now += 59_999
  const stillTwo = await crowd(line, ['a'], 2)
  assert.equal(stillTwo.length, 2)
  stillTwo[0]?.('open')
  now += 1_000_000
  // The minute begins when the last one left, not when the first did.
  stillTwo[1]?.('open')
  now += 59_999
  const again = await crowd(line, ['a'], 2)
  assert.equal(again.length, 2)
  for (const each of again) each('open')
  now += 60_000
  assert.equal((await crowd(line, ['a'], 2)).length, 1)
})

test('an attempt in progress keeps its address’s record, however long it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const line = makeAttemptQueue(1, () => now)
  const [first] = await crowd(line, ['a'], 1)
  first?.('paid')
  assert.equal((await crowd(line, ['a'], 1)).length, 1)
  now += 1_000_000
  assert.equal((await crowd(line, ['a'], 2)).length, 1, 'one more beside the one that is under way')
})

test('an attempt that finds the second queue full leaves the first without a trace', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = makeAttemptQueue(2)
  await crowd(line, ['card'], 1_002)
  assert.equal(await line.enter(['address', 'card']), undefined)
  assert.equal((await crowd(line, ['address'], 3)).length, 2)
})

test('an attempt in progress is never forgotten, however many others come', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const line = makeAttemptQueue(1)
  const [first] = await crowd(line, ['a'], 1)
  for (let other = 0; other < 10_001; other += 1) (await line.enter([`other ${other}`]))?.('open')
  const waiting = await crowd(line, ['a'], 1)
  assert.equal(waiting.length, 0)
  first?.('open')
  await turns()
  assert.equal(waiting.length, 1)
})
