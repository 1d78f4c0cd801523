// Own process: a person signs in at a server, which hashes passwords as a shop does, and a shared worker quicker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBench } from './run.ts'

// Checks that every measure runs, with one request a connection: no figure depends on how fast the machine is.

test('every measure runs and reports', { timeout: 1_200_000 }, async () => {
  const scale = {
    sharesSite: true,
    rounds: 1,
    seconds: 0,
    connections: [1, 8],
    customers: [4, 8],
    merchants: 3,
    lookUps: 500,
    sizes: [200, 400],
    dashboard: 500,
    projects: { rounds: 1, sizes: [100, 300, 1_000] },
    against: { rounds: 1, seconds: 0, lookUps: 200 },
  } as const
  const printed: string[] = []
  const status = { show: () => {}, print: (line: string) => void printed.push(line) }
  const alone = ['create', 'least', 'page', 'whole', 'live', 'look-up', 'growth', 'dashboard', 'projects']
  const names = [...alone, 'merchants']
  const reports = await runBench(names, scale, 3, status)
  assert.equal(printed.length, reports.length, 'each row is printed as soon as it is there')
  const works = reports.map((report) => report.work)
  for (const work of [
    'create, 1 connection',
    'create, 8 connections',
    'create, 1 connection, beside the least server',
    'look-up, 1 connection, beside the least server',
    'checkout page',
    'whole payment, 4 customers',
    'whole payment, 8 customers',
    'whole live payment, 4 customers',
    'create, 3 merchants',
    'whole payment, 3 merchants',
    'look-up of 500, 1 connection',
    'look-up of 500, 8 connections',
    'newest page at 400 payments',
    'dashboard: home of 500',
    'dashboard: home of today of 500',
    'dashboard: list of what was paid in a month of 500',
    'dashboard: search by common last four digits of 500',
    'projects, 300 in one merchant, 1,000 over all',
  ]) {
    assert.ok(works.includes(work), `${work} in ${works.join('; ')}`)
  }
  assert.match(works.join('; '), /dashboard: [\w.-]+, the slowest of \d\d pages, of 500/)
  assert.match(reports.find((report) => report.work.startsWith('whole payment'))?.result ?? '', / 0 lost$/)
})
