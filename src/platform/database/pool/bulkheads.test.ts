import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable, ShareTaken } from '../../errors/database-unavailable.ts'
import { Bulkheads, type FindPlace, type Slot } from './bulkheads.ts'

const plain: FindPlace = () => undefined
const waitMs = 5_000

function open(size = 20, findPlace = plain): Bulkheads {
  return new Bulkheads(size, waitMs, findPlace)
}

/** What these merchants get when they ask in turns and give nothing back. */
function fill(bulkheads: Bulkheads, merchants: readonly (number | undefined)[]): Slot[] {
  const slots: Slot[] = []
  for (;;) {
    const round = merchants.map((merchant) => bulkheads.enter(merchant)).filter((slot) => slot !== undefined)
    if (round.length === 0) return slots
    slots.push(...round)
  }
}

test('merchants whose statements wait never take all connections', () => {
  for (const [size, stuck, held] of [
    [20, [1], 14],
    [20, [1, 2], 16],
    [20, [1, 2, 3], 18],
    [10, [1], 7],
    [5, [1], 4],
    [100, [1], 67],
  ] as const) {
    const bulkheads = open(size)
    assert.equal(fill(bulkheads, stuck).length, held, `${stuck.length} of ${size}`)
    assert.ok(bulkheads.enter(99), 'another merchant is served at once')
    assert.ok(size === 5 || bulkheads.enter(undefined), 'so are statements of no merchant')
  }
})

test('statements of no merchant may take all connections, and a small pool is used whole', () => {
  assert.equal(fill(open(20), [undefined]).length, 20)
  assert.equal(fill(open(2), [1]).length, 2)
  assert.equal(fill(open(1), [1]).length, 1)
})

test('the merchants of a shard that moves leave room for the others of its node, and those of a node that hangs for other nodes', () => {
  const ofShard = Array.from({ length: 50 }, (_, index) => 1000 + index)
  const ofNode = Array.from({ length: 50 }, (_, index) => 2000 + index)
  const placeOf: FindPlace = (merchant) => ({
    shard: merchant < 2000 ? 'one' : String(merchant),
    node: merchant < 3000 ? 'near' : 'far',
  })
  const moving = open(20, placeOf)
  assert.equal(fill(moving, ofShard).length, 15)
  assert.ok(moving.enter(2001))
  const hanging = open(20, placeOf)
  assert.equal(fill(hanging, [...ofShard, ...ofNode]).length, 16)
  assert.equal(hanging.enter(2001), undefined)
  assert.ok(hanging.enter(3001))
})

test('callers beyond the share are served in order when connections come back, each merchant in turn', async () => {
  const bulkheads = open(3)
  const [first, second, third] = fill(bulkheads, [undefined])
  assert.ok(first && second && third)
  const served: string[] = []
  const wait = async (name: string, merchant: number): Promise<Slot> => {
    const slot = await bulkheads.wait(merchant)
    served.push(name)
    return slot
  }
  const all = [wait('a1', 1), wait('a2', 1), wait('a3', 1), wait('b1', 2)]
  assert.equal(bulkheads.waiting, 4)
  assert.equal(bulkheads.enter(1), undefined)
  bulkheads.leave(first)
  bulkheads.leave(second)
  bulkheads.leave((await all[0]) as Slot)
  bulkheads.leave((await all[3]) as Slot)
  await Promise.all(all)
  assert.deepEqual(served, ['a1', 'b1', 'a2', 'a3'])
  assert.equal(bulkheads.waiting, 0)
})

test('a caller that waits too long is told that nothing was done, and why', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const bulkheads = open(20)
  const slots = fill(bulkheads, [1])
  const refused = bulkheads.wait(1)
  t.mock.timers.tick(waitMs)
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof DatabaseUnavailable && error.cause instanceof ShareTaken)
    assert.deepEqual([error.outcomeUnknown, error.why], [false, undefined])
    return true
  })
  assert.equal(bulkheads.waiting, 0)
  fill(bulkheads, [undefined])
  const late = bulkheads.wait(2)
  t.mock.timers.tick(waitMs)
  await assert.rejects(late, (error) => {
    assert.ok(error instanceof DatabaseUnavailable)
    assert.equal(error.why, 'timeout exceeded when trying to connect')
    return true
  })
  for (const slot of slots) bulkheads.leave(slot)
  assert.ok(bulkheads.enter(1))
})
