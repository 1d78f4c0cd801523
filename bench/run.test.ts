import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBench } from './run.ts'

// That the measures still run. What they measure is not looked at: machines differ.

test('every measure runs and reports', { timeout: 400_000 }, async () => {
  const scale = {
    sharesSite: true,
    rounds: 1,
    seconds: 0.5,
    lookUps: 500,
    sizes: [200, 400],
    projects: { rounds: 1, sizes: [100, 300, 1_000] },
    against: { rounds: 1, seconds: 0.5 },
  } as const
  const printed: string[] = []
  const status = { show: () => {}, print: (line: string) => void printed.push(line) }
  const names = ['create', 'page', 'whole', 'look-up', 'growth', 'projects']
  const reports = await runBench(names, scale, 3, status)
  assert.equal(printed.length, reports.length, 'each row is printed as soon as it is there')
  const works = reports.map((report) => report.work)
  for (const work of [
    'create, 64 connections',
    'checkout page',
    'whole payment, 64 customers',
    'whole payment, 256 customers',
    'look-up of 500',
    'newest page at 400 payments',
    'projects, 300 in one merchant, 1,000 over all',
  ]) {
    assert.ok(works.includes(work), `${work} in ${works.join('; ')}`)
  }
  assert.match(reports.find((report) => report.work.startsWith('whole payment'))?.result ?? '', / 0 lost$/)
})
