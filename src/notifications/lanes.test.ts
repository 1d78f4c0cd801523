import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits, mailOrigin, makeLanes, type Lane } from './lanes.ts'

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

test('whatever happens, the counts come back to nothing and no limit is passed', () => {
  const step = fc.record({
    merchant: fc.integer({ min: 1, max: 4 }),
    host: fc.integer({ min: 0, max: 2 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    slow: fc.boolean(),
    finish: fc.nat(30),
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
      for (const { merchant, host, share, slow, finish } of steps) {
        lanes.ask(lane(merchant, `https://${host}.example`))
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
