import { fileURLToPath } from 'node:url'
import { openStatusLine, type StatusLine } from '../bin/status-line.js'
import { benchAgainst, comparable, type TurnPace } from './against.ts'
import { benchCeiling } from './ceiling.ts'
import { benchCluster } from './cluster.ts'
import { benchCreate, creates } from './create.ts'
import { benchDashboard } from './dashboard.ts'
import { benchGrowth } from './growth.ts'
import { findCheckout } from './find-checkout.ts'
import { drawLatency } from './latency-graph.ts'
import { benchLeast } from './least.ts'
import { benchLivePayment } from './live-payment.ts'
import { benchLookUp } from './look-up.ts'
import type { Pace } from './measure.ts'
import { benchMerchants } from './merchants.ts'
import { readOptions, type Options } from './options.ts'
import { benchPage } from './page.ts'
import { benchProjects, projectsInFull, type ProjectsScale } from './projects.ts'
import { benchReady } from './ready.ts'
import { printReports, rowLine, type Report } from './report.ts'
import { openSite, type Site } from './site.ts'
import { benchWholePayment } from './whole-payment.ts'
import { sql } from '../src/platform/database/sql.ts'

// npm run bench: see bench/options.ts and docs/performance.md.

export type Scale = {
  readonly sharesSite?: boolean
  readonly rounds: number
  readonly seconds: number
  /** Of creates and look-ups: what a lone caller gets, and what crowds do. */
  readonly connections: readonly number[]
  /** Who make whole payments at once. The first crowd pays live, and beside other merchants, too. */
  readonly customers: readonly [number, ...number[]]
  /** Beside one busy merchant. */
  readonly merchants: number
  readonly lookUps: number
  readonly sizes: readonly number[]
  /** Payments of a shop whose team looks at them. */
  readonly dashboard: number
  readonly projects: ProjectsScale
  /** Short turns: what disturbs one should disturb the next. */
  readonly against: { readonly rounds: number; readonly seconds: number; readonly lookUps: number }
}

const everyCrowd = [1, 8, 32, 64, 256]
const crowdsOfCustomers = [64, 256] as const

const scales = {
  quick: {
    sharesSite: true,
    rounds: 3,
    seconds: 0.7,
    connections: [1, 32, 256],
    customers: crowdsOfCustomers,
    merchants: 50,
    lookUps: 100_000,
    sizes: [10_000, 100_000],
    dashboard: 100_000,
    projects: { rounds: 6, sizes: [1_000, 100_000] },
    against: { rounds: 3, seconds: 0.7, lookUps: 10_000 },
  },
  usual: {
    rounds: 3,
    seconds: 6,
    connections: everyCrowd,
    customers: crowdsOfCustomers,
    merchants: 50,
    lookUps: 1_000_000,
    sizes: [10_000, 1_000_000],
    dashboard: 1_000_000,
    projects: projectsInFull,
    against: { rounds: 5, seconds: 3, lookUps: 10_000 },
  },
  full: {
    rounds: 3,
    seconds: 6,
    connections: everyCrowd,
    customers: crowdsOfCustomers,
    merchants: 50,
    lookUps: 1_000_000,
    sizes: [10_000, 1_000_000, 10_000_000],
    dashboard: 10_000_000,
    projects: projectsInFull,
    against: { rounds: 5, seconds: 3, lookUps: 10_000 },
  },
} as const satisfies Record<string, Scale>

type Open = () => Promise<Site>
type Task = {
  readonly open: Open
  readonly openOwn: Open
  /** With as many merchants as the scale says. */
  readonly openMany: Open
  readonly pace: Pace
  readonly scale: Scale
}

/** Those that need a site open it, each on a fresh database: what one leaves behind must not weigh on the next. In the
 * quick form they share one, but for `openOwn`: opening takes as long as measuring there. */
const measures: Readonly<Record<string, (task: Task) => Promise<Report[]>>> = {
  ceiling: ({ pace }) => benchCeiling(pace),
  create: ({ open, pace, scale }) => on(open, (site) => benchCreate(site, pace, scale.connections)),
  least: ({ open, pace }) => on(open, (site) => benchLeast(site, pace)),
  page: ({ open, pace }) => on(open, (site) => benchPage(site, pace)),
  whole: ({ open, pace, scale }) => on(open, (site) => benchWholePayment(site, pace, scale.customers)),
  live: ({ pace, scale }) => benchLivePayment(pace, scale.customers[0]),
  merchants: ({ openMany, pace, scale }) =>
    on(openMany, (site) => benchMerchants(site, pace, scale.customers[0])),
  'look-up': ({ open, pace, scale }) =>
    on(open, (site) => benchLookUp(site, pace, scale.lookUps, scale.connections)),
  growth: ({ openOwn, pace, scale }) => benchGrowth(openOwn, pace, scale.sizes),
  ready: ({ pace }) => benchReady(pace),
  dashboard: ({ open, pace, scale }) => on(open, (site) => benchDashboard(site, pace, scale.dashboard)),
  projects: ({ open, scale }) => on(open, (site) => benchProjects(site.databaseUrl, scale.projects)),
  cluster: ({ pace }) => benchCluster(pace),
}

/** It needs more than Florin brings. */
const onlyWhenNamed = ['cluster']

async function on(open: Open, measure: (site: Site) => Promise<Report[]>): Promise<Report[]> {
  await using site = await open()
  // Not without await: the site would be closed at once.
  return await measure(site)
}

const usualNames = Object.keys(measures).filter((name) => !onlyWhenNamed.includes(name))

export async function runBench(
  names: readonly string[],
  scale: Scale,
  merchants: number,
  status: Pick<StatusLine, 'show' | 'print'>,
): Promise<Report[]> {
  const reports: Report[] = []
  const chosen = names.length === 0 ? usualNames : names.filter((name) => name in measures)
  await using shared = new AsyncDisposableStack()
  const warmUp = Math.min(1, scale.seconds)
  const openOwn = async (): Promise<Site> => openWarm(merchants, warmUp)
  const open = scale.sharesSite ? openOnce(shared, openOwn) : openOwn
  const openMany = merchants === scale.merchants ? open : async () => openWarm(scale.merchants, warmUp)
  for (const [index, name] of chosen.entries()) {
    const say = (doing: string): void =>
      status.show(`${index + 1} of ${chosen.length}  ${name.padEnd(8)}  ${doing}`)
    say('making ready')
    const pace = { rounds: scale.rounds, seconds: scale.seconds, say }
    const found = await measures[name]?.({ open, openOwn, openMany, pace, scale })
    for (const report of found ?? []) {
      status.print(rowLine([report.work, report.result, report.spread, report.detail]))
      reports.push(report)
    }
  }
  return reports
}

function openOnce(owner: AsyncDisposableStack, open: Open): Open {
  let opened: Promise<Site> | undefined
  return async () => {
    opened ??= open().then((site) => owner.use(site))
    return { ...(await opened), [Symbol.asyncDispose]: async () => {} }
  }
}

/** Compiled code, filled caches, and statistics for the planner, as any server has after its first minutes. */
async function openWarm(merchants: number, seconds = 1): Promise<Site> {
  const site = await openSite(merchants)
  await creates(site, 16, seconds)
  await site.db.query(sql`analyze`)
  return site
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args, { alone: [...Object.keys(measures), 'graph'], against: comparable })
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n`)
    process.exitCode = 64
    return
  }
  const status = openStatusLine()
  try {
    await (options.against === undefined
      ? measureAlone(options, status)
      : compare(options.against, options, status))
  } finally {
    status.end()
  }
}

async function measureAlone({ names, scale: name, merchants }: Options, status: StatusLine): Promise<void> {
  const scale: Scale = scales[name]
  if (names.length === 0 || names.some((each) => each in measures)) {
    status.print(rowLine(['work', 'result', 'spread', 'on this machine']))
    const reports = await runBench(names, scale, merchants, status)
    status.print('\n')
    status.end()
    printReports(reports)
  }
  if (!names.includes('graph')) return
  const pace = { ...scale, say: (doing: string) => status.show(`graph  ${doing}`) }
  await using site = await openWarm(merchants)
  await drawLatency(site, pace, new URL('../docs/performance-latency.svg', import.meta.url))
}

async function compare(other: string, options: Options, status: StatusLine): Promise<void> {
  await using checkout = await findCheckout(other)
  const { folder } = checkout
  const names = options.names.length === 0 ? comparable : options.names
  const pace: TurnPace = { ...scales[options.scale].against, say: (doing) => status.show(doing) }
  const columns = (cells: readonly string[]): string =>
    `${cells
      .map((cell) => cell.padEnd(10))
      .join('  ')
      .trimEnd()}\n`
  status.print(
    `this beside ${other}\n${columns(['work', 'this', 'other', 'ratio', 'spread', 'cost', 'spread'])}`,
  )
  const merchants = { here: options.merchants, other: options.otherMerchants }
  await benchAgainst(folder, names, merchants, pace, (row) =>
    status.print(columns([row.work, row.here, row.other, row.ratio, row.spread, row.cost, row.costSpread])),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
