import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits, mailOrigin, makeQueues, type QueueRequest, type Queue } from './queues.ts'

const queue = (merchantId: number, origin = 'https://shop.example'): Queue => ({
  merchantId,
  mode: 'live',
  origin,
})

function nextOfAll(queues: ReturnType<typeof makeQueues>): QueueRequest[] {
  return queues.ready().flatMap((merchantId) => queues.next(merchantId))
}

/** Asks for a queue that has plenty due, and returns how many it may take. */
function fill(queues: ReturnType<typeof makeQueues>, one: Queue): number {
  queues.ask(one)
  let taken = 0
  for (let asked = nextOfAll(queues); asked.length > 0; asked = nextOfAll(queues)) {
    for (const each of asked) {
      queues.took(each, each.room)
      if (each.merchantId === one.merchantId && each.origin === one.origin) taken += each.room
    }
  }
  return taken
}

test('a receiver gets its share and no more, and so does a merchant with many receivers', () => {
  const queues = makeQueues()
  assert.equal(fill(queues, queue(1)), limits.triesPerQueue)
  let all = limits.triesPerQueue
  for (let host = 0; host < 10; host += 1) all += fill(queues, queue(1, `https://${host}.example`))
  assert.equal(all, limits.triesPerMerchant)
  assert.equal(fill(queues, queue(2)), limits.triesPerQueue, 'another merchant is not touched')
})

test('a receiver slow three times in a row gets few slots, until it is fast once', () => {
  const queues = makeQueues()
  for (let round = 0; round < 3; round += 1) {
    queues.ask(queue(1))
    const [asked] = nextOfAll(queues)
    assert.ok(asked)
    queues.took(asked, 1)
    queues.finished(queue(1), 15_000)
  }
  assert.equal(fill(queues, queue(1)), limits.triesPerSlowQueue)
  queues.finished(queue(1), 20)
  queues.finished(queue(1), 20)
  assert.equal(fill(queues, queue(1)), limits.triesPerQueue)
})

test('a slow URL doesn’t slow others on its host, but after ten slow ones in a row new URLs there get few slots', () => {
  const queues = makeQueues()
  const slowly = (path: number): void => {
    const one = queue(1, `https://shop.example/${path}`)
    queues.ask(one)
    for (const asked of nextOfAll(queues)) queues.took(asked, 1)
    queues.finished(one, 15_000)
  }
  for (let path = 0; path < 9; path += 1) slowly(path)
  assert.equal(fill(queues, queue(1, 'https://shop.example/new')), limits.triesPerQueue)
  slowly(9)
  assert.equal(fill(queues, queue(1, 'https://shop.example/newer')), limits.triesPerSlowQueue)
  assert.equal(
    fill(queues, queue(2, 'https://shop.example/new')),
    limits.triesPerQueue,
    'of another merchant',
  )
  queues.finished(queue(1, 'https://shop.example/newer'), 20)
  let reserved = 0
  while (queues.reserve(queue(1, 'https://shop.example/newest'))) reserved += 1
  assert.ok(reserved > limits.triesPerSlowQueue, 'it answers again')
})

test('most slots stay free however many receivers are slow', () => {
  const queues = makeQueues()
  for (let merchant = 1; merchant <= 500; merchant += 1) {
    for (let round = 0; round < 3; round += 1) {
      queues.ask(queue(merchant))
      for (const asked of nextOfAll(queues)) queues.took(asked, asked.merchantId === merchant ? 1 : 0)
      queues.finished(queue(merchant), 15_000)
    }
  }
  let slow = 0
  for (let merchant = 1; merchant <= 500; merchant += 1) slow += fill(queues, queue(merchant))
  assert.equal(slow, limits.triesOfSlowQueues)
  assert.equal(fill(queues, queue(1000)), limits.triesPerQueue)
})

test('mail has its own slots', () => {
  const queues = makeQueues()
  for (let merchant = 1; merchant <= 50; merchant += 1) fill(queues, queue(merchant))
  assert.equal(queues.underWay(), limits.tries)
  assert.equal(fill(queues, queue(1, mailOrigin)), limits.mailsPerMerchant)
})

test('new deliveries get slots at once, up to their queue’s limit, but none while others of it wait', () => {
  const queues = makeQueues()
  for (let count = 0; count < limits.triesPerQueue; count += 1) assert.ok(queues.reserve(queue(1)))
  assert.equal(queues.reserve(queue(1)), false)
  queues.release(queue(1))
  assert.ok(queues.reserve(queue(1)))

  queues.ask(queue(2))
  assert.equal(queues.reserve(queue(2)), false, 'it has not been asked yet')
  const [asked] = nextOfAll(queues)
  assert.ok(asked)
  assert.equal(queues.reserve(queue(2)), false, 'its room is taken until it has answered')
  queues.took(asked, asked.room - 1)
  assert.ok(queues.reserve(queue(2)))
  assert.equal(queues.reserve(queue(2)), false)
})

test('new deliveries leave the last 50 shared slots to waiting queues', () => {
  const queues = makeQueues()
  const reserveAll = (one: Queue): number => {
    let count = 0
    while (queues.reserve(one)) count += 1
    return count
  }
  let ofMerchant = 0
  for (let host = 0; host < 10; host += 1) ofMerchant += reserveAll(queue(1, `https://${host}.example`))
  assert.equal(ofMerchant, limits.triesPerMerchant - limits.triesPerQueue)
  assert.equal(fill(queues, queue(1, 'https://waits.example')), limits.triesPerQueue)
  for (let merchant = 2; merchant < 50; merchant += 1) reserveAll(queue(merchant))
  assert.equal(queues.underWay(), limits.tries - limits.triesPerQueue)
  assert.equal(fill(queues, queue(50)), limits.triesPerQueue)
})

test('counts always return to zero, and no limit is ever exceeded', () => {
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
      const queues = makeQueues({
        ...limits,
        tries: 30,
        triesPerMerchant: 12,
        triesPerQueue: 6,
        triesOfSlowQueues: 5,
      })
      const running: Queue[] = []
      for (const { merchant, host, share, slow, finish, born, isRolledBack } of steps) {
        const target = queue(merchant, `https://${host}.example`)
        const reserved = Array.from({ length: born }, () => target).filter((one) => queues.reserve(one))
        if (isRolledBack) for (const one of reserved) queues.release(one)
        else running.push(...reserved)
        queues.ask(target)
        for (const asked of nextOfAll(queues)) {
          assert.ok(asked.room > 0)
          const count = Math.floor(asked.room * share)
          queues.took(asked, count)
          for (let one = 0; one < count; one += 1) running.push(queue(asked.merchantId, asked.origin))
        }
        assert.equal(queues.underWay(), running.length)
        assert.ok(running.length <= 30)
        for (const done of running.splice(0, finish)) queues.finished(done, slow ? 9_000 : 10)
      }
      for (const done of running) queues.finished(done, 10)
      assert.equal(queues.underWay(), 0)
    }),
  )
})
