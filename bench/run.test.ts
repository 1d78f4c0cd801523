import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { benchAgainst, comparable, type Comparison } from './against.ts'
import { readOptions } from './options.ts'
import { runBench } from './run.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

// That the measures still run. What they measure is not looked at: machines differ.

test('every measure runs and reports', { timeout: 1_200_000 }, async () => {
  const scale = {
    sharesSite: true,
    rounds: 1,
    seconds: 0.2,
    connections: [1, 64],
    merchants: 3,
    lookUps: 500,
    sizes: [200, 400],
    dashboard: 500,
    projects: { rounds: 1, sizes: [100, 300, 1_000] },
    against: { rounds: 1, seconds: 0.2, lookUps: 200 },
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
    'create, 64 connections',
    'create, 1 connection, the least server',
    'look-up, 1 connection, Florin',
    'checkout page',
    'whole payment, 64 customers',
    'whole payment, 256 customers',
    'whole live payment, 64 customers',
    'create, 3 merchants',
    'whole payment, 3 merchants',
    'look-up of 500, 1 connection',
    'look-up of 500, 64 connections',
    'newest page at 400 payments',
    'dashboard: home of 500',
    'dashboard: search by common last four digits of 500',
    'projects, 300 in one merchant, 1,000 over all',
  ]) {
    assert.ok(works.includes(work), `${work} in ${works.join('; ')}`)
  }
  assert.match(works.join('; '), /dashboard: [\w.-]+, the slowest of \d\d pages, of 500/)
  assert.match(reports.find((report) => report.work.startsWith('whole payment'))?.result ?? '', / 0 lost$/)
})

test('this checkout is measured in turn with another', { timeout: 1_200_000 }, async () => {
  const compared: Comparison[] = []
  const doing: string[] = []
  const pace = { rounds: 1, seconds: 0.2, lookUps: 200, say: (text: string) => void doing.push(text) }
  await benchAgainst(root, ['create'], { here: 1, other: 1 }, pace, (row) => void compared.push(row))
  assert.deepEqual(
    compared.map(({ work }) => work),
    ['create'],
  )
  // The others measure as their rows above do.
  assert.deepEqual(comparable.toSorted(), ['create', 'lone', 'look-up', 'page', 'whole'])
  for (const { work, ratio, spread, cost, costSpread } of compared) {
    for (const text of [`${ratio} ${spread}`, `${cost} ${costSpread}`]) {
      assert.match(text, /^\d+\.\d\d × \d+\.\d\d–\d+\.\d\d$|^– –$/, work)
    }
  }
  assert.deepEqual(
    doing.filter((text) => text.includes('create')).map((text) => text.split('  ').at(-1)),
    ['making ready', 'this, warm-up', 'other, warm-up', 'this, run 1 of 1', 'other, run 1 of 1'],
  )
})

test('names and --only pick rows, and what cannot be measured is refused', () => {
  const known = { alone: ['create', 'look-up', 'growth'], against: ['create'] }
  assert.deepEqual(
    readOptions(['growth', '--only', 'create,look-up', '--merchants', '50', '--quick'], known),
    {
      scale: 'quick',
      names: ['growth', 'create', 'look-up'],
      merchants: 50,
      otherMerchants: 50,
      against: undefined,
    },
  )
  const refusals: [string, string][] = [
    ['--merchants 0', '--merchants and --other-merchants must be whole numbers, 1 to 9999'],
    ['--only rows', 'There is nothing called "rows" to measure. Allowed: create look-up growth'],
    [
      '--slow',
      "Unknown option '--slow'. Allowed: --quick --full --only --merchants --other-merchants --against",
    ],
    [
      `growth --against ${root}`,
      'There is nothing called "growth" to measure against another checkout. Allowed: create',
    ],
    ['--against /nowhere', 'There is no Florin in /nowhere'],
  ]
  for (const [args, refusal] of refusals) assert.equal(readOptions(args.split(' '), known), refusal)
})
