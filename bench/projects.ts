import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Database, inTransaction } from '../src/database/database.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import type { Sql } from '../src/database/sql.ts'
import { makeListProjects } from '../src/projects/list-projects.ts'
import type { ListRequest } from '../src/projects/read-list-request.ts'
import { rebuildShelves } from '../src/projects/shelf-store.ts'
import { claimList } from '../src/projects/store.ts'

// What a page of projects costs at a thousand, at a hundred thousand in one merchant, and at a million over all.
// Measured below HTTP, where a difference is not hidden by what every request costs.

export type Options = { readonly plans?: boolean; readonly rounds?: number }

const small = 10_000_001
const large = 10_000_002
const others = { from: 10_000_003, count: 9_000 }
const ratioMax = 3
const roundsDefault = 40
const warmUpRounds = 10

type Case = { readonly name: string; readonly at: (total: number) => Partial<ListRequest> }
const deepest = (total: number, perPage: number): number => Math.min(1_000, Math.ceil(total / perPage))

const cases: readonly Case[] = [
  { name: 'first page', at: () => ({}) },
  { name: 'first page of 100', at: () => ({ perPage: 100 }) },
  { name: 'first page by name', at: () => ({ sortBy: 'project', sort: 'asc' }) },
  { name: 'page 1,000 of 10', at: (total) => ({ page: deepest(total, 10) }) },
  { name: 'page 1,000 of 10 by name', at: (total) => ({ sortBy: 'project', page: deepest(total, 10) }) },
  { name: 'page 1,000 of 50', at: (total) => ({ perPage: 50, page: deepest(total, 50) }) },
  { name: 'page 1,000 of 100', at: (total) => ({ perPage: 100, page: deepest(total, 100) }) },
  { name: 'search "abcd", rare', at: () => ({ search: 'abcd' }) },
  { name: 'search "club f3", 1 in 80', at: () => ({ search: 'Club F3' }) },
  { name: 'search "shop", 1 in 5', at: () => ({ search: 'SHOP' }) },
  { name: 'search "ab", 2 letters', at: () => ({ search: 'ab' }) },
  { name: 'search "zq", 2 letters, none', at: () => ({ search: 'zq' }) },
  { name: 'search "a", nearly all', at: () => ({ search: 'a' }) },
  {
    name: 'search "shop", page 1,000',
    at: (total) => ({ search: 'shop', page: deepest(total / 5, 10) }),
  },
]

type Cost = { readonly first: number; readonly again: number }
type Compared = { readonly small: Cost; readonly large: Cost }

export async function run(options: Options = {}): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  const postgres = await startEmbedded({ dataDir: folder })
  try {
    await migrate(postgres.url)
    return await measureAll(postgres.url, options)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureAll(url: string, options: Options): Promise<boolean> {
  const rounds = options.rounds ?? roundsDefault
  await seed(url, { from: small, count: 1 }, 1_000)
  await seed(url, { from: large, count: 1 }, 100_000)
  const inOne = await compare(url, rounds)
  await seed(url, others, 899_000)
  const overAll = await compare(url, rounds)
  if (options.plans) await printPlans(url, large, 100_000)
  const verdicts = [
    printTable('101,000 projects, 100,000 of them in one merchant', inOne),
    printTable('1,000,000 projects, 100,000 of them in one merchant', overAll),
  ]
  return verdicts.every(Boolean)
}

/** `count` projects shared out over the merchants, each with its shelves if there is one merchant only. */
async function seed(url: string, merchants: { from: number; count: number }, count: number): Promise<void> {
  say(`Loading ${count.toLocaleString('en')} projects …`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into merchants (id, name) select $1::integer + n, 'Shop' from generate_series(0, $2::integer - 1) as n`,
    [merchants.from, merchants.count],
  )
  await client.query(
    `insert into projects (merchant_id, id, name, name_folded, created_at)
     select $1::integer + n % $2::integer, 'prj_' || substr(md5($1 || 'id' || n), 1, 16), name, lower(name),
            '2026-11-15'::timestamptz - n * interval '1 second'
     from generate_series(1, $3::integer) as n, lateral (
       select (array['Summer', 'Winter', 'Spring', 'Autumn', 'Corner', 'Garden', 'Harbour', 'Market'])[1 + n % 8] || ' '
         || (array['shop', 'campaign', 'site', 'fair', 'club'])[1 + n % 5] || ' ' || substr(md5(n::text), 1, 9) as name
     ) as named`,
    [merchants.from, merchants.count, count],
  )
  await client.query('vacuum analyze projects')
  await client.end()
  if (merchants.count > 1) return
  const db = new Database(url, { poolSize: 1 })
  await inTransaction(db, async (tx) => {
    await claimList(tx, merchants.from)
    await rebuildShelves(tx, merchants.from)
  })
  await db.close()
}

/**
 * Both sizes in turn, round by round, after a warm-up: measured one after the other, the first one paid for cold code
 * and for whatever else the machine did just then, and looked up to three times as dear as it is.
 */
async function compare(url: string, rounds: number): Promise<Compared[]> {
  const db = new Database(url, { poolSize: 1 })
  const compared: Compared[] = []
  for (const each of cases) {
    const times = { small: noTimes(), large: noTimes() }
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const [size, merchantId, total] of [
        ['small', small, 1_000],
        ['large', large, 100_000],
      ] as const) {
        const list = makeListProjects(db) // a new one remembers nothing
        const request = complete(each.at(total))
        const first = await time(() => list(merchantId, request))
        const again = await time(() => list(merchantId, request))
        if (round < 0) continue
        times[size].first.push(first)
        times[size].again.push(again)
      }
    }
    compared.push({ small: medians(times.small), large: medians(times.large) })
  }
  await db.close()
  return compared
}

type Times = { readonly first: number[]; readonly again: number[] }

function noTimes(): Times {
  return { first: [], again: [] }
}

function medians({ first, again }: Times): Cost {
  return { first: median(first), again: median(again) }
}

function complete(request: Partial<ListRequest>): ListRequest {
  return { search: undefined, sortBy: 'created_at', sort: 'desc', perPage: 10, page: 1, ...request }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** True when nothing costs more than three times what it costs at a thousand, the first time included. */
function printTable(title: string, compared: readonly Compared[]): boolean {
  say(`\n${title}. Median ms.`)
  say('"first": nothing is remembered of the list. "again": the list has not changed since.')
  say(' '.repeat(31) + ['1,000', '100,000', 'ratio'].map((head) => head.padStart(10)).join(''))
  let good = true
  for (const kind of ['first', 'again'] as const) {
    say(kind)
    cases.forEach(({ name }, at) => {
      const base = compared[at]?.small[kind] ?? Number.NaN
      const cost = compared[at]?.large[kind] ?? Number.NaN
      const over = cost / base > ratioMax
      if (over) good = false
      const cells = [base, cost, cost / base].map((value) => value.toFixed(2).padStart(10)).join('')
      say(`  ${name.padEnd(29)}${cells}${over ? `  more than ${ratioMax} times` : ''}`)
    })
  }
  return good
}

async function printPlans(url: string, merchantId: number, total: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Stands in for the database: shows the plan of each statement, then answers it.
  const explaining = {
    async query(statement: Sql): Promise<object[]> {
      const values = statement.values as unknown[]
      const plan = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off) ${statement.text}`,
        values,
      )
      say(plan.rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n'))
      return db.query(statement)
    },
  }
  const db = new Database(url, { poolSize: 1 })
  for (const each of cases) {
    say(`\n${each.name}`)
    await makeListProjects(explaining as unknown as Database)(merchantId, complete(each.at(total)))
  }
  await db.close()
  await client.end()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await run({ plans: process.argv.includes('--plans') })) ? 0 : 1
}
