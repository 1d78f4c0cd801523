import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from './list.ts'
import { play } from './play.ts'
import { describeBroken } from './report.ts'

// Every fault at least once, on one stage where they can share it. `npm run faults` plays them by the hundred.

const seed = 20261115
const options = { seed, hurry: true, runsOf: (fault: (typeof faults)[number]) => fault.runs.short }
const together = faults.filter((fault) => !fault.mustBreak && !fault.stage && !fault.alone)
const alone = faults.filter((fault) => !together.includes(fault))

test('nothing is lost, doubled or stuck, whatever fails', async () => {
  const reports = await play(together, options)
  assert.deepEqual(
    reports.filter(({ ok }) => !ok).map((report) => `${report.name} ${describeBroken(report)}`),
    [],
  )
})

for (const fault of alone) {
  const name = fault.mustBreak ? `the harness sees it: ${fault.name}` : fault.name
  test(name, async () => {
    const [report] = await play([fault], options)
    assert.ok(report?.ok, report ? `${report.hits} hits ${describeBroken(report)}` : 'no report')
  })
}
