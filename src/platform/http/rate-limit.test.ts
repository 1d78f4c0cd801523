import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../errors/refusals.ts'
import { limitMisses, makeRateLimit, refuseIfWaiting } from './rate-limit.ts'

test('an idle caller may send a burst, then waits for the next second', () => {
  const limit = makeRateLimit({ perSecond: 100, burst: 200 }, () => 0)
  for (let count = 0; count < 200; count += 1) assert.equal(limit.take('a'), undefined)
  assert.equal(limit.take('a'), 1)
  assert.equal(limit.take('a'), 1, 'being refused costs nothing more')
})

test('spent tokens come back over time, up to the burst size', () => {
  let time = 0
  const limit = makeRateLimit({ perSecond: 10, burst: 5 }, () => time)
  const takeAll = (): number => {
    let taken = 0
    while (limit.take('a') === undefined) taken += 1
    return taken
  }
  assert.equal(takeAll(), 5)
  time += 99
  assert.equal(takeAll(), 0)
  time += 1
  assert.equal(takeAll(), 1)
  time += 300
  assert.equal(takeAll(), 3)
  time += 3_600_000
  assert.equal(takeAll(), 5)
})

test('the wait in seconds is sufficient, rounded up', () => {
  let time = 0
  const slow = makeRateLimit({ perSecond: 0.25, burst: 1 }, () => time)
  assert.equal(slow.take('a'), undefined)
  assert.equal(slow.take('a'), 4)
  time += 1_500
  assert.equal(slow.take('a'), 3)
  time += 3_000
  assert.equal(slow.take('a'), undefined)
})

test('callers don’t share a budget', () => {
  const limit = makeRateLimit({ perSecond: 1, burst: 1 }, () => 0)
  assert.equal(limit.take('a'), undefined)
  assert.equal(limit.take('b'), undefined)
  assert.equal(limit.take('a'), 1)
})

test('reading the remaining budget spends nothing', () => {
  let time = 0
  const limit = makeRateLimit({ perSecond: 100, burst: 250 }, () => time)
  assert.equal(limit.policy, '"requests";q=250;w=3')
  assert.equal(limit.left('a'), '"requests";r=250;t=0')
  for (let count = 0; count < 150; count += 1) limit.take('a')
  for (let count = 0; count < 5; count += 1) assert.equal(limit.left('a'), '"requests";r=100;t=2')
  time += 15
  assert.equal(limit.left('a'), '"requests";r=101;t=2')
})

test('simultaneous guesses are answered only up to the limit, and existing things always are', async () => {
  const limit = makeRateLimit({ perSecond: 1, burst: 3 }, () => 0)
  const miss = async (): Promise<never> => {
    throw new Refusal('not_found')
  }
  const guesses = await Promise.allSettled(Array.from({ length: 10 }, () => limitMisses(limit, 'a', miss)))
  const codes = guesses.map((guess) => guess.status === 'rejected' && (guess.reason as Refusal).code)
  assert.equal(codes.filter((code) => code === 'not_found').length, 3)
  assert.equal(codes.filter((code) => code === 'rate_limited').length, 7)
  assert.equal(await limitMisses(limit, 'a', async () => 'found'), 'found')
})

test('a clock set back neither gives tokens away nor locks callers out', () => {
  let time = 1_000_000
  const limit = makeRateLimit({ perSecond: 1, burst: 2 }, () => time)
  limit.take('a')
  limit.take('a')
  time -= 500_000
  assert.equal(limit.take('a'), 1)
  time += 1_000
  assert.equal(limit.take('a'), undefined)
})

test('over any period no caller gets more than the burst and the rate allow', () => {
  const steps = fc.array(fc.nat(500), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      (pauses, perSecond, burst) => {
        let time = 0
        const limit = makeRateLimit({ perSecond, burst }, () => time)
        let taken = 0
        for (const pause of pauses) {
          time += pause
          if (limit.take('a') === undefined) taken += 1
          assert.ok(taken <= burst + (time * perSecond) / 1000 + 1e-6)
        }
      },
    ),
  )
})

test('a flood of callers is forgotten rather than kept for ever', () => {
  let time = 0
  const limit = makeRateLimit({ perSecond: 1, burst: 1 }, () => time)
  limit.take('patient')
  for (let count = 0; count < 99_999; count += 1) limit.take(`flood ${count}`)
  time += 10
  assert.equal(limit.take('patient'), 1, 'still counted')
  time += 1_000
  limit.take('one more')
  assert.equal(limit.take('patient'), undefined)
})

test('when a flood leaves no idle caller, all start afresh, and memory is bounded', () => {
  const limit = makeRateLimit({ perSecond: 1, burst: 1 }, () => 0)
  limit.take('busy')
  for (let count = 0; count < 99_999; count += 1) limit.take(`flood ${count}`)
  assert.equal(limit.take('busy'), 1)
  limit.take('one more')
  assert.equal(limit.take('busy'), undefined)
})

test('a flood evicts idle callers, never active ones', () => {
  let time = 0
  const limit = makeRateLimit({ perSecond: 1, burst: 10 }, () => time)
  for (let count = 0; count < 99_999; count += 1) limit.take(`flood ${count}`)
  time += 10_000
  for (let count = 0; count < 10; count += 1) assert.equal(limit.take('busy'), undefined)
  limit.take('one more')
  assert.equal(limit.take('busy'), 1)
})

test('only a not-found counts as a miss', async () => {
  const limit = makeRateLimit({ perSecond: 1, burst: 2 }, () => 0)
  const ask = async (error?: Error): Promise<unknown> =>
    limitMisses(limit, '192.0.2.1', async () => {
      if (error) throw error
      return 'found'
    })
  const others = [
    new Refusal('unauthorized'),
    new Refusal('not_cancellable'),
    new Refusal('unavailable'),
    new Error('broken'),
  ]
  for (const error of [...others, ...others]) await assert.rejects(ask(error), error)
  for (let count = 0; count < 10; count += 1) assert.equal(await ask(), 'found')

  const miss = new Refusal('not_found')
  await assert.rejects(ask(miss), miss)
  await assert.rejects(ask(miss), miss)
  await assert.rejects(ask(miss), { code: 'rate_limited' })
  const elsewhere = limitMisses(limit, '192.0.2.2', async () => {
    throw miss
  })
  await assert.rejects(elsewhere, miss)
})

test('a limited caller gets 429 with a message and Retry-After', () => {
  refuseIfWaiting(undefined)
  assert.throws(
    () => refuseIfWaiting(3),
    (error) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.status, 429)
      assert.equal(error.code, 'rate_limited')
      assert.equal(error.message, 'Too many requests, try again in 3 seconds')
      assert.deepEqual(error.headers, { 'retry-after': '3' })
      return true
    },
  )
})

test('a limit divided among servers gives each its share, and at least one', () => {
  let servers = 4
  const limit = makeRateLimit(
    { perSecond: 8, burst: 8 },
    () => 0,
    () => servers,
  )
  const passed = (name: string): number =>
    Array.from({ length: 20 }, () => limit.take(name)).filter((seconds) => seconds === undefined).length
  assert.equal(passed('one'), 2)
  servers = 100
  assert.equal(passed('two'), 1)
  servers = 1
  assert.equal(passed('three'), 8)
})
