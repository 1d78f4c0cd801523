import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits, mailOrigin, makeLanes, type Lane } from './queues.ts'

const lane = (merchantId: number, origin = 'https://shop.example'): Lane => ({
  merchantId,
  mode: 'live',
  origin,
})

/** Asks for a lane that has plenty due, and returns how many it may take. */
function fill(lanes: ReturnType<typeof makeLanes>, one: Lane): number {
  lanes.ask(one)
  let taken = 0
  for (let asked = lanes.next(); asked.length > 0; asked = lanes.next()) {
    for (const each of asked) {
      lanes.took(each, each.room)
      if (each.merchantId === one.merchantId && each.origin === one.origin) taken += each.room
    }
  }
  return taken
}

test('one receiver gets its share and no more, and so does a merchant with many', () => {
  const lanes = makeLanes()
  assert.equal(fill(lanes, lane(1)), limits.triesPerLane)
  let all = limits.triesPerLane
  for (let host = 0; host < 10; host += 1) all += fill(lanes, lane(1, `https://${host}.example`))
  assert.equal(all, limits.triesPerMerchant)
  assert.equal(fill(lanes, lane(2)), limits.triesPerLane, 'another merchant is not touched')
})

test('a receiver that was slow three times in a row gets few, until it is quick once', () => {
  const lanes = makeLanes()
  for (let round = 0; round < 3; round += 1) {
    lanes.ask(lane(1))
    const [asked] = lanes.next()
    assert.ok(asked)
    lanes.took(asked, 1)
    lanes.finished(lane(1), 15_000)
  }
  assert.equal(fill(lanes, lane(1)), limits.triesPerSlowLane)
  lanes.finished(lane(1), 20)
  lanes.finished(lane(1), 20)
  assert.equal(fill(lanes, lane(1)), limits.triesPerLane)
})

test('however many receivers are slow, most of the room stays free', () => {
  const lanes = makeLanes()
  for (let merchant = 1; merchant <= 500; merchant += 1) {
    for (let round = 0; round < 3; round += 1) {
      lanes.ask(lane(merchant))
      for (const asked of lanes.next()) lanes.took(asked, asked.merchantId === merchant ? 1 : 0)
      lanes.finished(lane(merchant), 15_000)
    }
  }
  let slow = 0
  for (let merchant = 1; merchant <= 500; merchant += 1) slow += fill(lanes, lane(merchant))
  assert.equal(slow, limits.triesOfSlowLanes)
  assert.equal(fill(lanes, lane(1000)), limits.triesPerLane)
})

test('mail has room of its own', () => {
  const lanes = makeLanes()
  for (let merchant = 1; merchant <= 50; merchant += 1) fill(lanes, lane(merchant))
  assert.equal(lanes.underWay(), limits.tries)
  assert.equal(fill(lanes, lane(1, mailOrigin)), limits.mailsPerMerchant)
})

test('new ones get room at once, up to the limit of their lane, and none while others of it wait', () => {
  const lanes = makeLanes()
  for (let count = 0; count < limits.triesPerLane; count += 1) assert.ok(lanes.reserve(lane(1)))
  assert.equal(lanes.reserve(lane(1)), false)
  lanes.release(lane(1))
  assert.ok(lanes.reserve(lane(1)))

  lanes.ask(lane(2))
  assert.equal(lanes.reserve(lane(2)), false, 'it has not been asked yet')
  const [asked] = lanes.next()
  assert.ok(asked)
  assert.equal(lanes.reserve(lane(2)), false, 'its room is taken until it has answered')
  lanes.took(asked, asked.room - 1)
  assert.ok(lanes.reserve(lane(2)))
  assert.equal(lanes.reserve(lane(2)), false)
})

test('new ones leave the last hand of what is shared to lanes that wait', () => {
  const lanes = makeLanes()
  const reserveAll = (one: Lane): number => {
    let count = 0
    while (lanes.reserve(one)) count += 1
    return count
  }
  let ofMerchant = 0
  for (let host = 0; host < 10; host += 1) ofMerchant += reserveAll(lane(1, `https://${host}.example`))
  assert.equal(ofMerchant, limits.triesPerMerchant - limits.triesPerLane)
  assert.equal(fill(lanes, lane(1, 'https://waits.example')), limits.triesPerLane)
  for (let merchant = 2; merchant < 50; merchant += 1) reserveAll(lane(merchant))
  assert.equal(lanes.underWay(), limits.tries - limits.triesPerLane)
  assert.equal(fill(lanes, lane(50)), limits.triesPerLane)
})

test('whatever happens, the counts come back to nothing and no limit is passed', () => {
  const step = fc.record({
    merchant: fc.integer({ min: 1, max: 4 }),
    host: fc.integer({ min: 0, max: 2 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    slow: fc.boolean(),
    finish: fc.nat(30),
    born: fc.nat(8),
    isRolledBack: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lanes = makeLanes({
        ...limits,
        tries: 30,
        triesPerMerchant: 12,
        triesPerLane: 6,
        triesOfSlowLanes: 5,
      })
      const running: Lane[] = []
      for (const { merchant, host, share, slow, finish, born, isRolledBack } of steps) {
        const target = lane(merchant, `https://${host}.example`)
        const reserved = Array.from({ length: born }, () => target).filter((one) => lanes.reserve(one))
        if (isRolledBack) for (const one of reserved) lanes.release(one)
        else running.push(...reserved)
        lanes.ask(target)
        for (const asked of lanes.next()) {
          assert.ok(asked.room > 0)
          const count = Math.floor(asked.room * share)
          lanes.took(asked, count)
          for (let one = 0; one < count; one += 1) running.push(lane(asked.merchantId, asked.origin))
        }
        assert.equal(lanes.underWay(), running.length)
        assert.ok(running.length <= 30)
        for (const done of running.splice(0, finish)) lanes.finished(done, slow ? 9_000 : 10)
      }
      for (const done of running) lanes.finished(done, 10)
      assert.equal(lanes.underWay(), 0)
    }),
  )
})
