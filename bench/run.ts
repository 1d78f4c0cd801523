import { fileURLToPath } from 'node:url'
import { benchCeiling } from './ceiling.ts'
import { benchCreate, creates } from './create.ts'
import { benchGrowth } from './growth.ts'
import { drawLatency } from './latency-graph.ts'
import { benchLookUp } from './look-up.ts'
import { benchPage } from './page.ts'
import { benchProjects, projectsInFull, type ProjectsScale } from './projects.ts'
import { benchReady } from './ready.ts'
import { printReports, type Report } from './report.ts'
import { openSite, type Site } from './site.ts'
import { benchWholePayment } from './whole-payment.ts'
import { sql } from '../src/database/sql.ts'

// npm run bench [-- --quick | --full] [name …]
// Names: ceiling create page whole look-up growth ready projects graph. Without names all but graph.

export type Scale = {
  readonly sharesSite?: boolean
  readonly rounds: number
  readonly seconds: number
  readonly lookUps: number
  readonly sizes: readonly number[]
  readonly projects: ProjectsScale
}

const scales = {
  quick: {
    sharesSite: true,
    rounds: 3,
    seconds: 0.7,
    lookUps: 100_000,
    sizes: [10_000, 100_000],
    projects: { rounds: 6, sizes: [1_000, 100_000] },
  },
  usual: {
    rounds: 3,
    seconds: 6,
    lookUps: 1_000_000,
    sizes: [10_000, 1_000_000],
    projects: projectsInFull,
  },
  full: {
    rounds: 3,
    seconds: 6,
    lookUps: 1_000_000,
    sizes: [10_000, 1_000_000, 10_000_000],
    projects: projectsInFull,
  },
} as const satisfies Record<string, Scale>

type Open = () => Promise<Site>

/** Those that need a site open it, each on a fresh database: what one leaves behind must not weigh on the next. In the
 * quick form they share one: opening takes as long as measuring there. */
const measures: Readonly<Record<string, (open: Open, scale: Scale) => Promise<Report[]>>> = {
  ceiling: (_, { rounds, seconds }) => benchCeiling(rounds, seconds),
  create: (open, { rounds, seconds }) => on(open, (site) => benchCreate(site, rounds, seconds)),
  page: (open, { rounds, seconds }) => on(open, (site) => benchPage(site, rounds, seconds)),
  whole: (open, { rounds, seconds }) => on(open, (site) => benchWholePayment(site, rounds, seconds)),
  'look-up': (open, { rounds, seconds, lookUps }) =>
    on(open, (site) => benchLookUp(site, rounds, seconds, lookUps)),
  growth: (_, { rounds, seconds, sizes }) => benchGrowth(openWarm, rounds, seconds, sizes),
  ready: (_, { rounds }) => benchReady(rounds),
  projects: (open, { projects }) => on(open, (site) => benchProjects(site.databaseUrl, projects)),
}

async function on(open: Open, measure: (site: Site) => Promise<Report[]>): Promise<Report[]> {
  await using site = await open()
  // Not without await: the site would be closed at once.
  return await measure(site)
}

export async function runBench(names: readonly string[], scale: Scale): Promise<Report[]> {
  const reports: Report[] = []
  const chosen = names.length === 0 ? Object.keys(measures) : names.filter((name) => name in measures)
  await using shared = new AsyncDisposableStack()
  const open = scale.sharesSite ? openOnce(shared) : openWarm
  for (const name of chosen) reports.push(...((await measures[name]?.(open, scale)) ?? []))
  return reports
}

function openOnce(owner: AsyncDisposableStack): Open {
  let opened: Promise<Site> | undefined
  return async () => {
    opened ??= openWarm().then((site) => owner.use(site))
    return { ...(await opened), [Symbol.asyncDispose]: async () => {} }
  }
}

/** Compiled code, filled caches, and statistics for the planner, as any server has after its first minutes. */
async function openWarm(): Promise<Site> {
  const site = await openSite()
  await creates(site, 16, 1)
  await site.db.query(sql`analyze`)
  return site
}

async function main(args: string[]): Promise<void> {
  const allowed = [...Object.keys(measures), 'graph', '--quick', '--full']
  const odd = args.find((arg) => !allowed.includes(arg))
  if (odd !== undefined) {
    process.stderr.write(`There is nothing called "${odd}" to measure. Allowed: ${allowed.join(' ')}\n`)
    process.exitCode = 64
    return
  }
  const names = args.filter((arg) => !arg.startsWith('-'))
  const scale = args.includes('--quick') ? scales.quick : args.includes('--full') ? scales.full : scales.usual
  if (names.length === 0 || names.some((name) => name in measures)) printReports(await runBench(names, scale))
  if (!names.includes('graph')) return
  await using site = await openWarm()
  await drawLatency(site, scale.seconds, new URL('../docs/performance-latency.svg', import.meta.url))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
