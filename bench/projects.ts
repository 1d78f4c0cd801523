import { fileURLToPath } from 'node:url'
import { compare, seed, type Compared } from './project-costs.ts'
import type { Report } from './report.ts'
import { openSite } from './site.ts'

// Lists and searches of projects in a long list beside a short one: node bin/run.js bench/projects.ts
// prints every case, and ends with 1 when one does not keep what docs/projects.md promises.

export type ProjectsScale = {
  readonly rounds: number
  /** Projects of a merchant with few, of one with many, and, if that is measured, over all merchants. */
  readonly sizes: readonly [number, number, number?]
}

export const projectsInFull: ProjectsScale = { rounds: 30, sizes: [1_000, 100_000, 1_000_000] }

const small = 10_000_001
const large = 10_000_002
const others = { from: 10_000_003, count: 9_000 }
const ratioMax = 5
const millisecondsMax = 150

export async function benchProjects(url: string, scale: ProjectsScale): Promise<Report[]> {
  const tables = await measureTables(url, scale)
  return tables.flatMap(({ title, compared }) => {
    const ratios = costsOf(compared, 'near')
    const milliseconds = costsOf(compared, 'far')
    return [
      {
        work: title,
        beside: `itself at ${scale.sizes[0].toLocaleString('en')}`,
        goal: `pages and rare searches within ${ratioMax} ×`,
        result: `${ratios.at(-1)?.cost.toFixed(2)} ×`,
        spread: `${ratios[0]?.cost.toFixed(2)}–${ratios.at(-1)?.cost.toFixed(2)}`,
        detail: `dearest: ${ratios.at(-1)?.name}`,
      },
      {
        work: `${title}, all looked at`,
        beside: '–',
        goal: `each under ${millisecondsMax} ms`,
        result: `${milliseconds.at(-1)?.cost.toFixed(0)} ms`,
        spread: `${milliseconds[0]?.cost.toFixed(0)}–${milliseconds.at(-1)?.cost.toFixed(0)}`,
        detail: `dearest: ${milliseconds.at(-1)?.name}`,
      },
    ]
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

/** The cheapest first: ratios of those that are held against the short list, milliseconds of the others. */
function costsOf(compared: readonly Compared[], kind: Compared['kind']): { name: string; cost: number }[] {
  return compared
    .filter((each) => each.kind === kind)
    .map((each) => ({ name: each.name, cost: kind === 'near' ? each.large / each.small : each.large }))
    .toSorted((a, b) => a.cost - b.cost)
}

function isKept(each: Compared): boolean {
  return each.kind === 'near' ? each.large <= each.small * ratioMax : each.large < millisecondsMax
}

function printTable({ title, compared }: Table, few: number, many: number): void {
  say(`\n${title}. Median ms.`)
  const heads = [few.toLocaleString('en'), many.toLocaleString('en'), 'ratio']
  say(' '.repeat(31) + heads.map((head) => head.padStart(10)).join(''))
  for (const each of compared) {
    const cells = [each.small, each.large, each.large / each.small].map((value) =>
      value.toFixed(2).padStart(10),
    )
    const promise = each.kind === 'near' ? `≤ ${ratioMax} ×` : `< ${millisecondsMax} ms`
    say(`${each.name.padEnd(31)}${cells.join('')}  ${promise}${isKept(each) ? '' : ', not kept'}`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(): Promise<boolean> {
  await using site = await openSite()
  const [few, many] = projectsInFull.sizes
  const tables = await measureTables(site.databaseUrl, projectsInFull)
  for (const table of tables) printTable(table, few, many)
  return tables.every(({ compared }) => compared.every(isKept))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await main()) ? 0 : 1
