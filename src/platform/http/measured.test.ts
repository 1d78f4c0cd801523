import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { makeMeasured } from './measured.ts'

/** Counts how often it was measured; each takes until the test says what was found. */
function openMeasured(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 10, 16) })
  const found: ((figure: number | Error) => void)[] = []
  const measure = async (): Promise<number> =>
    new Promise((resolve, reject) =>
      found.push((figure) => (typeof figure === 'number' ? resolve(figure) : reject(figure))),
    )
  return {
    found,
    ask: makeMeasured(measure, Number.NaN),
    pass: (ms: number) => t.mock.timers.tick(ms),
    /** Asks and is told at once, `ms` later. */
    measured: async (ask: () => Promise<number>, figure: number | Error, ms = 0): Promise<number> => {
      const answer = ask()
      t.mock.timers.tick(ms)
      found.at(-1)?.(figure)
      return answer
    },
  }
}

test('figures are computed once for all callers, and again after ten seconds', async (t) => {
  const { found, ask, pass, measured } = openMeasured(t)
  const together = [ask(), ask(), measured(ask, 7)]
  assert.deepEqual(await Promise.all(together), [7, 7, 7])
  pass(10_000)
  assert.equal(await ask(), 7)
  assert.equal(found.length, 1)
  pass(1)
  assert.equal(await measured(ask, 8), 8)
  assert.equal(found.length, 2)
})

test('slow figures are computed for at most a tenth of the time', async (t) => {
  const { found, ask, pass, measured } = openMeasured(t)
  await measured(ask, 7, 1_500)
  pass(15_000)
  assert.equal(await ask(), 7)
  assert.equal(found.length, 1)
  pass(1)
  assert.equal(await measured(ask, 8), 8)
})

test('callers wait at most two seconds, then get the previous figure', async (t) => {
  const { found, ask, pass, measured } = openMeasured(t)
  await measured(ask, 7)
  pass(10_001)
  const answers = [ask(), ask()]
  pass(1_999)
  assert.equal(await Promise.race([...answers, Promise.resolve('still waiting')]), 'still waiting')
  pass(1)
  assert.deepEqual(await Promise.all(answers), [7, 7])
  const late = ask()
  found[1]?.(8)
  assert.equal(await late, 8)
  assert.equal(found.length, 2)
})

test('no figure is returned before the first count, or after a failed one', async (t) => {
  const { ask, pass, measured } = openMeasured(t)
  const first = ask()
  pass(2_000)
  assert.equal(await first, Number.NaN)
  assert.equal(await measured(ask, new Error('the database is away')), Number.NaN)
  pass(60_000)
  assert.equal(await measured(ask, 7), 7)
})
