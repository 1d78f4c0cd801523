import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { makeMerchantBatch, stuckMs, type MerchantBatchOptions } from './batch.ts'

class BadRow extends Error {}
const isDataError = (error: unknown): boolean => error instanceof BadRow
const limits = { maxSize: 100, maxInFlight: 2, isDataError }

/** Of one merchant. */
function makeBatch<Item, Result>(
  options: Omit<MerchantBatchOptions<Item, Result>, 'run'> & {
    run: (items: readonly Item[]) => Promise<readonly Result[]>
  },
): (item: Item) => Promise<Result> {
  const batch = makeMerchantBatch<Item, Result>({ ...options, run: async (_, items) => options.run(items) })
  return async (item) => batch(1, item)
}

test('a lone item is sent in the same turn of the event loop, without waiting for others', async () => {
  const sent: number[][] = []
  const double = makeBatch<number, number>({
    ...limits,
    run: async (items) => {
      sent.push([...items])
      return items.map((item) => item * 2)
    },
  })
  const answer = double(21)
  await nextTurn()
  assert.deepEqual(sent, [[21]])
  assert.equal(await answer, 42)
})

test('items that arrive together are sent together, and each gets its own result', async () => {
  let batches = 0
  const double = makeBatch<number, number>({
    ...limits,
    run: async (items) => {
      batches += 1
      return items.map((item) => item * 2)
    },
  })
  const items = Array.from({ length: 100 }, (_, index) => index)
  assert.deepEqual(
    await Promise.all(items.map(double)),
    items.map((item) => item * 2),
  )
  assert.equal(batches, 1)
})

test('at most two batches run, none larger than the limit, and later items join the next batch', async () => {
  const open: { size: number; finish: () => void }[] = []
  const echo = makeBatch<number, number>({
    ...limits,
    maxSize: 3,
    run: async (items) => {
      await new Promise<void>((finish) => void open.push({ size: items.length, finish }))
      return items
    },
  })
  const answers = Array.from({ length: 8 }, (_, index) => echo(index))
  await nextTurn()
  assert.deepEqual(
    open.map((batch) => batch.size),
    [3, 3],
  )
  answers.push(echo(8), echo(9))
  await nextTurn()
  assert.equal(open.length, 2)
  open[0]?.finish()
  await nextTurn()
  assert.deepEqual(
    open.map((batch) => batch.size),
    [3, 3, 3],
  )
  open[1]?.finish()
  open[2]?.finish()
  await nextTurn()
  assert.deepEqual(
    open.map((batch) => batch.size),
    [3, 3, 3, 1],
  )
  open[3]?.finish()
  assert.deepEqual(await Promise.all(answers), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a second batch starts only once it is as large as the first', async () => {
  const open: { size: number; finish: () => void }[] = []
  const echo = makeBatch<number, number>({
    ...limits,
    run: async (items) => {
      await new Promise<void>((finish) => void open.push({ size: items.length, finish }))
      return items
    },
  })
  const sizes = (): number[] => open.map((batch) => batch.size)
  const answers = [echo(0), echo(1), echo(2)]
  await nextTurn()
  answers.push(echo(3), echo(4))
  await nextTurn()
  assert.deepEqual(sizes(), [3], 'two small ones would cost more than one')
  answers.push(echo(5))
  await nextTurn()
  assert.deepEqual(sizes(), [3, 3], 'the first may be stuck: those behind it go round')
  answers.push(echo(6))
  open[0]?.finish()
  open[1]?.finish()
  await nextTurn()
  assert.deepEqual(sizes(), [3, 3, 1], 'with nothing under way nobody waits')
  open[2]?.finish()
  assert.deepEqual(await Promise.all(answers), [0, 1, 2, 3, 4, 5, 6])
})

test('bad rows fail alone, wherever they are in the batch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (bad) => {
      const echo = makeBatch<number, number>({
        ...limits,
        run: async (items) => {
          if (items.some((item) => bad[item])) throw new BadRow()
          return items
        },
      })
      const settled = await Promise.allSettled(bad.map((_, index) => echo(index)))
      for (const [index, one] of settled.entries()) {
        assert.deepEqual(
          one.status === 'fulfilled' ? one.value : one.reason,
          bad[index] ? new BadRow() : index,
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('one bad row among 128 costs 14 more statements, not 128', async () => {
  let statements = 0
  const echo = makeBatch<number, number>({
    ...limits,
    maxSize: 128,
    run: async (items) => {
      statements += 1
      if (items.includes(77)) throw new BadRow()
      return items
    },
  })
  await Promise.allSettled(Array.from({ length: 128 }, (_, index) => echo(index)))
  assert.equal(statements, 1 + 14)
})

test('a lost database fails the whole batch without retrying', async () => {
  let tries = 0
  const away = new Error('away')
  const echo = makeBatch<number, number>({
    ...limits,
    run: async () => {
      tries += 1
      throw away
    },
  })
  const settled = await Promise.allSettled([echo(1), echo(2), echo(3)])
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && one.reason),
    [away, away, away],
  )
  assert.equal(tries, 1)
})

test('a database lost while isolating a bad row fails all unsaved items, with one try', async () => {
  let tries = 0
  const away = new Error('away')
  const echo = makeBatch<number, number>({
    ...limits,
    run: async (items) => {
      tries += 1
      if (tries === 1) throw new BadRow()
      if (tries === 2) return items
      throw away
    },
  })
  const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => echo(item)))
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
    [1, 2, 3, away, away, away],
  )
  assert.equal(tries, 3)
})

test('a run that loses a result is a bug and fails loudly', async () => {
  const broken = makeBatch<number, number>({ ...limits, run: async () => [] })
  await assert.rejects(broken(1), /too few or too many results/)
})

test('the queue continues after a failure', async () => {
  let away = true
  const echo = makeBatch<number, number>({
    ...limits,
    run: async (items) => {
      if (away) throw new Error('away')
      return items
    },
  })
  await assert.rejects(echo(1))
  away = false
  assert.equal(await echo(2), 2)
})

test('each merchant has its own batch, and one merchant’s failure doesn’t affect another', async () => {
  const sent: [number, readonly string[]][] = []
  const batch = makeMerchantBatch<string, string>({
    ...limits,
    run: async (merchantId, items) => {
      sent.push([merchantId, items])
      if (merchantId === 2) throw new Error('its node is away')
      return items.map((item) => `${merchantId}${item}`)
    },
  })
  const results = await Promise.allSettled([batch(1, 'a'), batch(2, 'b'), batch(1, 'c'), batch(3, 'd')])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['1a', 'failed', '1c', '3d'],
  )
  assert.deepEqual(sent, [
    [1, ['a', 'c']],
    [2, ['b']],
    [3, ['d']],
  ])
})

/** A batch that finishes when it is told to, for merchants and their items. */
function openBatch(maxInAll: number, maxSize = 100) {
  const open: { merchantId: number; items: readonly string[]; finish: () => void }[] = []
  const batch = makeMerchantBatch<string, string>({
    ...limits,
    maxSize,
    maxInAll,
    run: async (merchantId, items) => {
      await new Promise<void>((finish) => void open.push({ merchantId, items, finish }))
      return items
    },
  })
  return { batch, open, merchants: () => open.map(({ merchantId }) => merchantId) }
}

test('many merchants share a few slots and take turns, however much each has to do', async () => {
  const { batch, open, merchants } = openBatch(2, 1)
  const answers = [batch(1, 'a'), batch(1, 'b'), batch(1, 'c'), batch(1, 'd'), batch(2, 'e'), batch(3, 'f')]
  await nextTurn()
  assert.deepEqual(merchants(), [1, 2], 'not all of the first merchant before anything of the second')
  for (let finished = 0; finished < answers.length; finished += 1) {
    open[finished]?.finish()
    await nextTurn()
  }
  assert.deepEqual(merchants(), [1, 2, 3, 1, 1, 1])
  assert.deepEqual(await Promise.all(answers), ['a', 'b', 'c', 'd', 'e', 'f'])
})

test('callers waiting for a slot are sent together when their merchant gets one', async () => {
  const { batch, open } = openBatch(1)
  const answers = [batch(1, 'a')]
  await nextTurn()
  answers.push(batch(2, 'b'), batch(2, 'c'))
  await nextTurn()
  assert.equal(open.length, 1)
  open[0]?.finish()
  await nextTurn()
  assert.deepEqual(open[1]?.items, ['b', 'c'])
  open[1]?.finish()
  await Promise.all(answers)
})

test('a merchant with stuck statements doesn’t block slots for others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { batch, open, merchants } = openBatch(1)
  const answers = [batch(1, 'stuck')]
  await nextTurn()
  answers.push(batch(2, 'a'))
  await nextTurn()
  assert.deepEqual(merchants(), [1])
  t.mock.timers.tick(stuckMs)
  assert.deepEqual(merchants(), [1, 2])
  for (const each of open) each.finish()
  assert.deepEqual(await Promise.all(answers), ['stuck', 'a'])
})
