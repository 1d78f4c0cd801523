import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Database } from '../src/database/database.ts'
import type { Sql } from '../src/database/sql.ts'
import { makeListProjects } from '../src/projects/list-projects.ts'
import { makeNameBooks } from '../src/projects/name-books.ts'
import { cases, compare, complete, judged, seed, type Compared } from './project-costs.ts'
import type { Report } from './report.ts'
import { openSite } from './site.ts'

// Lists and searches of projects in a long list beside a short one: node bin/run.js bench/projects.ts [--plans]
// prints every case, and ends with 1 when one costs more than three times what it costs in the short list.

export type ProjectsScale = {
  readonly rounds: number
  /** Projects of a merchant with few, of one with many, and, if that is measured, over all merchants. */
  readonly sizes: readonly [number, number, number?]
}

export const projectsInFull: ProjectsScale = { rounds: 30, sizes: [1_000, 100_000, 1_000_000] }

const small = 10_000_001
const large = 10_000_002
const others = { from: 10_000_003, count: 9_000 }
const ratioMax = 3

export async function benchProjects(url: string, scale: ProjectsScale): Promise<Report[]> {
  const tables = await measureTables(url, scale)
  return tables.map(({ title, compared }) => {
    const ratios = judgedRatios(compared).toSorted((a, b) => a.ratio - b.ratio)
    const worst = ratios.at(-1)
    return {
      work: title,
      beside: `itself at ${scale.sizes[0].toLocaleString('en')}`,
      goal: `each within ${ratioMax} ×`,
      result: `${worst?.ratio.toFixed(2)} ×`,
      spread: `${ratios[0]?.ratio.toFixed(2)}–${worst?.ratio.toFixed(2)}`,
      detail: `dearest: ${worst?.name}, ${worst?.kind}, ${worst?.cost.toFixed(1)} ms`,
    }
  })
}

type Table = { readonly title: string; readonly compared: readonly Compared[] }

async function measureTables(url: string, { rounds, sizes }: ProjectsScale): Promise<Table[]> {
  const [few, many, overAll] = sizes
  const short = { merchantId: small, projects: few }
  const long = { merchantId: large, projects: many }
  await seed(url, { from: small, count: 1 }, few)
  await seed(url, { from: large, count: 1 }, many)
  const inOne = `projects, ${many.toLocaleString('en')} in one merchant`
  const tables = [{ title: inOne, compared: await compare(url, short, long, rounds) }]
  if (overAll === undefined) return tables
  await seed(url, others, overAll - few - many)
  const title = `${inOne}, ${overAll.toLocaleString('en')} over all`
  return [...tables, { title, compared: await compare(url, short, long, rounds) }]
}

type Ratio = { readonly name: string; readonly kind: string; readonly cost: number; readonly ratio: number }

function judgedRatios(compared: readonly Compared[]): Ratio[] {
  return compared.flatMap((each) =>
    judged.map((kind) => ({
      name: each.name,
      kind,
      cost: each.large[kind],
      ratio: each.large[kind] / each.small[kind],
    })),
  )
}

function printTable({ title, compared }: Table, few: number, many: number): void {
  say(`\n${title}. Median ms.`)
  say('first: not asked before. again: the same once more. changed: once more, after a project was renamed.')
  say('cold: the first search after a start, while the names are not in memory yet. Not judged.')
  const heads = [few.toLocaleString('en'), many.toLocaleString('en'), 'ratio']
  say(' '.repeat(31) + heads.map((head) => head.padStart(10)).join(''))
  for (const kind of [...judged, 'cold'] as const) {
    say(kind)
    for (const { name, small: base, large: cost } of compared) {
      const ratio = cost[kind] / base[kind]
      const cells = [base[kind], cost[kind], ratio].map((value) => value.toFixed(2).padStart(10)).join('')
      const over = kind !== 'cold' && ratio > ratioMax
      say(`  ${name.padEnd(29)}${cells}${over ? `  more than ${ratioMax} times` : ''}`)
    }
  }
}

/** The plans of each case: with the names in memory, and with nothing in memory. */
async function printPlans(url: string, merchantId: number, total: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const db = new Database(url, { poolSize: 1 })
  // Stands in for the database: shows the plan of each statement, then answers it.
  const explaining = {
    async query(statement: Sql): Promise<object[]> {
      const values = statement.values as unknown[]
      const plan = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off) ${statement.text}`,
        values,
      )
      say(plan.rows.map((row) => `    ${row['QUERY PLAN'].slice(0, 200)}`).join('\n'))
      return db.query(statement)
    },
  } as unknown as Database
  const books = makeNameBooks(db)
  for (const sortBy of ['created_at', 'project'] as const) books.wish({ merchantId, sortBy }, total)
  await books.idle()
  const none = makeNameBooks(db, { projectsMin: Infinity })
  for (const each of cases) {
    const request = complete(each.at(total))
    say(`\n${each.name}`)
    await makeListProjects(explaining, { books })(merchantId, request)
    if (request.search === undefined) continue
    say(`\n${each.name}, cold`)
    await makeListProjects(explaining, { books: none })(merchantId, request)
  }
  await db.close()
  await client.end()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(plans: boolean): Promise<boolean> {
  await using site = await openSite()
  const [few, many] = projectsInFull.sizes
  const tables = await measureTables(site.databaseUrl, projectsInFull)
  if (plans) await printPlans(site.databaseUrl, large, many)
  for (const table of tables) printTable(table, few, many)
  return tables.every(({ compared }) => judgedRatios(compared).every(({ ratio }) => ratio <= ratioMax))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await main(process.argv.includes('--plans'))) ? 0 : 1
}
