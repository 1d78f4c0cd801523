import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { limits, mailOrigin, makeQueues, queueName, type QueueRequest, type Queue } from './queues.ts'

const queue = (merchantId: number, origin = 'https://shop.example'): Queue => ({
  merchantId,
  mode: 'live',
  origin,
})

const isMail = ({ origin }: Queue): boolean => origin === mailOrigin

/** The same rules, by counting all that is under way anew each time. */
function makeOracle(limit: typeof limits) {
  const underWay: Queue[] = []
  const slowTimes = new Map<string, number>()
  let waiting: { queue: Queue; hasBacklog: boolean }[] = []
  const count = (fits: (one: Queue) => boolean): number => underWay.filter(fits).length
  const isSlow = (one: Queue): boolean => (slowTimes.get(queueName(one)) ?? 0) >= 3
  const inQueue = (one: Queue): number => count((other) => queueName(other) === queueName(one))
  const isWaiting = (one: Queue): boolean =>
    waiting.some((other) => queueName(other.queue) === queueName(one))

  function roomOf(one: Queue, left = 0): number {
    const ofMerchant = count((other) => other.merchantId === one.merchantId && isMail(other) === isMail(one))
    if (isMail(one)) return Math.min(limit.mails - count(isMail), limit.mailsPerMerchant - ofMerchant)
    const shared = [limit.tries - count((other) => !isMail(other)), limit.triesPerMerchant - ofMerchant]
    if (isSlow(one)) shared.push(limit.triesOfSlowQueues - count((other) => !isMail(other) && isSlow(other)))
    const own = (isSlow(one) ? limit.triesPerSlowQueue : limit.triesPerQueue) - inQueue(one)
    return Math.min(...shared.map((room) => room - left), own)
  }
  const roomOfWaiting = ({ queue: one, hasBacklog }: (typeof waiting)[number]): number =>
    hasBacklog && roomOf(one) < inQueue(one) ? 0 : roomOf(one)
  const merchants = (): number[] => [...new Set(waiting.map((one) => one.queue.merchantId))]

  return {
    underWay,
    take: (one: Queue, times: number) => underWay.push(...Array.from({ length: times }, () => one)),
    drop(one: Queue): void {
      underWay.splice(
        underWay.findIndex((other) => queueName(other) === queueName(one)),
        1,
      )
    },
    ask(one: Queue, hasBacklog = false): void {
      if (!isWaiting(one)) waiting.push({ queue: one, hasBacklog })
    },
    ready: (): number[] =>
      merchants().filter((id) =>
        waiting.some((one) => one.queue.merchantId === id && roomOfWaiting(one) > 0),
      ),
    /** Those of a merchant that may be asked for, and what is left of it behind all others. */
    next(merchantId: number): QueueRequest[] {
      const asked: QueueRequest[] = []
      const left: typeof waiting = []
      for (const one of waiting.filter((each) => each.queue.merchantId === merchantId)) {
        const room = roomOfWaiting(one)
        if (room > 0) asked.push({ ...one.queue, room })
        else left.push(one)
        for (let taken = 0; taken < room; taken += 1) underWay.push(one.queue)
      }
      if (asked.length > 0)
        waiting = [...waiting.filter((each) => each.queue.merchantId !== merchantId), ...left]
      return asked
    },
    mayReserve: (one: Queue): boolean =>
      !isWaiting(one) && roomOf(one, isMail(one) ? 0 : limit.triesPerQueue) > 0,
    noteTime(one: Queue, ms: number): void {
      slowTimes.set(queueName(one), ms < 5_000 ? 0 : (slowTimes.get(queueName(one)) ?? 0) + 1)
    },
  }
}

const small = {
  tries: 22,
  triesPerMerchant: 12,
  triesPerQueue: 5,
  triesPerSlowQueue: 2,
  triesOfSlowQueues: 6,
  mails: 4,
  mailsPerMerchant: 3,
}

const anyQueue = fc
  .record({ merchant: fc.integer({ min: 1, max: 3 }), origin: fc.constantFrom('a', 'b', mailOrigin) })
  .map(({ merchant, origin }) => queue(merchant, origin))

const step = fc.oneof(
  fc.record({ what: fc.constant('ask' as const), at: anyQueue }),
  fc.record({ what: fc.constant('reserve' as const), at: anyQueue, isReleased: fc.boolean() }),
  fc.record({
    what: fc.constant('take' as const),
    by: fc.integer({ min: 0, max: 3 }),
    share: fc.constantFrom(0, 0.5, 0.8, 1, 1),
  }),
  fc.record({
    what: fc.constant('finish' as const),
    times: fc.nat(6),
    ms: fc.constantFrom(10, 4_999, 5_000, 5_000, 15_000),
  }),
)

test('slots and order match a plain count of everything in flight', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queues = makeQueues(small)
      const oracle = makeOracle(small)
      for (const one of steps) {
        if (one.what === 'ask') {
          queues.ask(one.at)
          oracle.ask(one.at)
        } else if (one.what === 'reserve') {
          const mayReserve = oracle.mayReserve(one.at)
          assert.equal(queues.reserve(one.at), mayReserve)
          if (mayReserve && one.isReleased) queues.release(one.at)
          else if (mayReserve) oracle.take(one.at, 1)
        } else if (one.what === 'take') {
          // Mostly one that is ready, and now and then one that may not be.
          const merchantId = one.by === 0 ? (oracle.ready()[0] ?? 0) : one.by
          const asked = queues.next(merchantId)
          assert.deepEqual(asked, oracle.next(merchantId))
          for (const each of asked) {
            const count = Math.floor(each.room * one.share)
            queues.took(each, count)
            const { room, ...plain } = each
            for (let left = count; left < room; left += 1) oracle.drop(plain)
            if (count === room) oracle.ask(plain, true)
          }
        } else {
          for (const done of oracle.underWay.slice(0, one.times)) {
            queues.finished(done, one.ms)
            oracle.noteTime(done, one.ms)
            oracle.drop(done)
          }
        }
        assert.deepEqual(queues.ready(), oracle.ready())
        assert.equal(queues.underWay(), oracle.underWay.length)
        for (const id of [1, 2, 3, 4]) assert.equal(queues.hasRoom(id), oracle.ready().includes(id))
      }
    }),
    { numRuns: 500 },
  )
})

/** Takes all the room of a queue that has more than that. */
function fill(queues: ReturnType<typeof makeQueues>, one: Queue): void {
  queues.ask(one)
  for (const asked of queues.next(one.merchantId)) queues.took(asked, asked.room)
}

test('a newly asked queue may use every free slot, and one with leftovers waits until half are free', () => {
  const queues = makeQueues(small)
  for (let count = 0; count < 3; count += 1) assert.ok(queues.reserve(queue(1)))
  queues.ask(queue(1))
  const [asked] = queues.next(1)
  assert.equal(asked?.room, 2)
  if (asked) queues.took(asked, 2)
  for (const isReady of [false, false, true]) {
    queues.finished(queue(1), 10)
    assert.equal(queues.hasRoom(1), isReady)
  }
})

test('a blocked merchant keeps its place in line, and moves to the end with its leftovers', () => {
  const queues = makeQueues(small)
  fill(queues, queue(1, 'a'))
  queues.ask(queue(2, 'a'))
  assert.deepEqual(queues.next(1), [])
  queues.ask(queue(1, 'b'))
  assert.deepEqual(queues.ready(), [1, 2])
  assert.deepEqual(queues.next(1), [{ ...queue(1, 'b'), room: 5 }])
  for (let count = 0; count < small.triesPerQueue; count += 1) queues.finished(queue(1, 'a'), 10)
  assert.deepEqual(queues.ready(), [2, 1])
  assert.deepEqual(queues.next(1), [{ ...queue(1, 'a'), room: 5 }])
})

test('new deliveries to slow receivers leave their last slots to waiting ones', () => {
  const queues = makeQueues(small)
  for (const merchant of [1, 2]) {
    for (let times = 0; times < 3; times += 1) {
      assert.ok(queues.reserve(queue(merchant)))
      queues.finished(queue(merchant), 5_000)
    }
  }
  assert.deepEqual([queues.reserve(queue(1)), queues.reserve(queue(2))], [true, false])
})

test('a process has these limits', () => {
  assert.deepEqual(limits, {
    tries: 1_000,
    triesPerMerchant: 150,
    triesPerQueue: 50,
    triesPerSlowQueue: 2,
    triesOfSlowQueues: 250,
    mails: 10,
    mailsPerMerchant: 5,
  })
})

test('ten thousand slow receivers are remembered, and the oldest is evicted first', () => {
  const queues = makeQueues()
  const beSlow = (one: Queue): void => {
    assert.ok(queues.reserve(one))
    queues.finished(one, 5_000)
  }
  const mayReserve = (one: Queue): number => {
    let count = 0
    while (queues.reserve(one)) count += 1
    return count
  }
  for (let merchant = 1; merchant <= 9_999; merchant += 1) beSlow(queue(merchant))
  for (const merchant of [10_000, 10_001]) for (let times = 0; times < 3; times += 1) beSlow(queue(merchant))
  for (let times = 0; times < 2; times += 1) beSlow(queue(1))
  assert.deepEqual(
    [1, 10_000, 10_001].map((merchant) => mayReserve(queue(merchant))),
    [50, 2, 2],
  )
})
