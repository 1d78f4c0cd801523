import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { crowdFaults } from './crowd-faults.ts'
import { databaseFaults } from './database-faults.ts'
import { faults } from './list.ts'
import { liveFaults } from './live/faults.ts'
import { networkFaults } from './network-faults.ts'
import { play, type Fault } from './play.ts'
import { receiverFaults } from './receiver-faults.ts'
import { describeBroken } from './report.ts'
import { pointFaults, serverFaults } from './server-faults.ts'

// Every fault at least once, on one stage where they can share it. `npm run faults` plays them by the hundred.

const seed = 20261115
// A busy machine takes several times as long; a hang is still found.
const timeout = 1_200_000
const stagesAtOnce = 3
const options = { seed, hurry: true, runsOf: (fault: Fault) => fault.runs.short }
const isAlone = ({ mustBreak, stage, alone }: Fault): boolean =>
  Boolean(mustBreak ?? alone ?? (stage && !stage.live))

const stages: Readonly<Record<string, readonly Fault[]>> = {
  'the database fails, or the way to it': databaseFaults,
  'servers and workers die at random, stop or lose the time': serverFaults,
  'servers die at the named points': pointFaults,
  'receivers or the network misbehave, or many come at once': [
    ...receiverFaults,
    ...crowdFaults,
    ...networkFaults,
  ],
  'servers die while live payments are made, or networks and their callbacks misbehave': liveFaults,
}

// Most of a fault is waiting: for a server to start, for a lease to end. One after the other they took three minutes.
suite('faults', { concurrency: stagesAtOnce }, () => {
  for (const [name, shared] of Object.entries(stages)) {
    test(`nothing is lost, doubled or stuck when ${name}`, { timeout }, async () => {
      const reports = await play(
        shared.filter((fault) => !isAlone(fault)),
        options,
      )
      const failed = reports.filter(({ ok }) => !ok)
      assert.deepEqual(failed.map(describeBroken), [])
    })
  }

  for (const fault of faults.filter(isAlone)) {
    const name = fault.mustBreak ? `the harness sees it: ${fault.name}` : fault.name
    test(name, { timeout }, async () => {
      const [report] = await play([fault], options)
      assert.ok(report?.ok, report ? `${report.hits} hits ${describeBroken(report)}` : 'no report')
    })
  }
})
