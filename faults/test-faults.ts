import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from './list.ts'
import { play, type Fault } from './play.ts'
import { describeBroken } from './report.ts'
import { stages, type StageName } from './stages.ts'
import type { Report } from '../test/runner/worker.ts'

// The faults as tests: some of each kind in `npm test`, every one in `npm run test:long`, and by the hundred with
// `npm run faults`.

const seed = 20261115
// A busy machine takes several times as long; a hang is still found.
const timeout = 1_200_000
const options = { seed, hurry: true, runsOf: (fault: Fault) => fault.runs.short }

/** Plays every fault of the stage. */
export function testStage(stage: StageName): void {
  testTogether(stage, stages[stage])
}

/** Plays these on one stage. */
export function testSome(when: string, names: readonly string[]): void {
  testTogether(when, names.map(findFault))
}

export function testAlone(fault: Fault): void {
  const name = fault.mustBreak ? `the harness sees it: ${fault.name}` : fault.name
  test(name, { timeout }, async () => {
    const [report] = await play([fault], { ...options, onStep: sayStep })
    assert.ok(report?.ok, report ? `${report.hits} hits ${describeBroken(report)}` : 'no report')
  })
}

export function findFault(name: string): Fault {
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`There is no fault "${name}"`)
  return fault
}

function testTogether(when: string, together: readonly Fault[]): void {
  test(`nothing is lost, doubled or stuck when ${when}`, { timeout }, async () => {
    const reports = await play(together, { ...options, onStep: sayStep })
    const failed = reports.filter(({ ok }) => !ok)
    assert.deepEqual(failed.map(describeBroken), [])
  })
}

/** The runner stops a file that it hears nothing of for ten minutes, and on a busy machine one test takes longer. */
function sayStep(step: string): void {
  process.send?.({ kind: 'test', name: step } satisfies Report)
}
