import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { pagesOf as pagesOfTable } from '../test/support/dashboard/pages-of.ts'
import { newPerson, Visitor } from '../test/support/visitor.ts'
import { fillShop } from './fill-shop.ts'
import { quantile, type Pace } from './measure.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// What somebody of a shop with many payments waits for: each page as one person opens it, one after the other.

type Looked = { readonly work: string; readonly path: (turn: number) => string }

const goalMs = 100

export async function benchDashboard(site: Site, pace: Pace, size: number): Promise<Report[]> {
  const merchantId = await createMerchant(site.db, { name: 'Years of payments' })
  pace.say(`filling in ${size.toLocaleString('en')} payments`)
  await fillShop(site.db, merchantId, size)
  const visitor = new Visitor({ url: `http://127.0.0.1:${site.port}`, merchantId, db: site.db })
  const person = await newPerson(visitor.house, { role: 'owner', isOperator: true })
  await visitor.signIn(person)
  const home = `/dashboard/${merchantId}/test`
  const reports: Report[] = []
  const look = async (work: string, path: (turn: number) => string, turns: number): Promise<number[]> => {
    pace.say(work)
    const times: number[] = []
    for (let turn = -Math.min(warmUps, turns); turn < turns; turn += 1) {
      const began = performance.now()
      const { status } = await visitor.get(path(Math.abs(turn)))
      if (status !== 200) throw new Error(`${work} answered ${status}`)
      if (turn >= 0) times.push(performance.now() - began)
    }
    return times
  }
  const of = size.toLocaleString('en')
  for (const { work, path } of pagesOf(size))
    reports.push(
      reportOf(`dashboard: ${work} of ${of}`, await look(work, (turn) => home + path(turn), turnsOf(pace))),
    )
  const others: Other[] = []
  const things = { merchant: String(merchantId), mode: 'test', origin: 'https://shop.example.com' }
  for (const { name, path } of pagesOfTable({ things }).pages) {
    // An export is as long as what it holds, and some pages show only what this shop does not have.
    if (path.endsWith('/export') || (await visitor.get(path)).status !== 200) continue
    others.push({ name, times: await look(name, () => path, turnsOf(pace)) })
  }
  reports.push(reportOfOthers(others, of))
  return reports
}

type Other = { readonly name: string; readonly times: readonly number[] }

/** Every page whose address names nothing but the shop, as one row: the one that is waited for longest. */
function reportOfOthers(others: readonly Other[], of: string): Report {
  const [slowest] = others
    .map(({ name, times }) => ({ name, times, p95: quantile(sort(times), 0.95) }))
    .toSorted((one, other) => other.p95 - one.p95)
  if (!slowest) throw new Error('The dashboard has no other pages')
  return reportOf(
    `dashboard: ${slowest.name}, the slowest of ${others.length} pages, of ${of}`,
    slowest.times,
  )
}

const warmUps = 10

/** Enough for a 95th of a hundred where there is time. */
function turnsOf({ seconds }: Pace): number {
  return seconds >= 1 ? 100 : seconds >= 0.5 ? 40 : 1
}

function pagesOf(size: number): Looked[] {
  const one = (turn: number): number => 1 + ((turn * 7_919) % size)
  const search = (work: string, text: (turn: number) => string): Looked => ({
    work: `search ${work}`,
    path: (turn) => `/payments?search=${encodeURIComponent(text(turn))}`,
  })
  return [
    { work: 'home', path: () => '' },
    { work: 'home of today', path: () => '?period=today' },
    {
      work: 'list of what was paid in a month',
      path: () => `/payments?state=paid&by=end&from=${daysAgo(30)}&to=${daysAgo(0)}`,
    },
    { work: 'list', path: () => '/payments' },
    { work: 'list of failed ones', path: () => '/payments?state=failed' },
    { work: 'a payment', path: (turn) => `/payments/${String(one(turn)).padStart(24, '0')}` },
    search('by tx_ref', (turn) => `shop-${one(turn)}`),
    search('by the start of all tx_refs', () => 'shop'),
    search('by e-mail', (turn) => `customer${one(turn) % 50_000}@example.com`),
    search('by the start of all e-mails', () => 'cust'),
    search('by surname', (turn) => `Surname${one(turn) % 100_000}`),
    search('by a common surname', () => 'Smith'),
    search('by the start of common surnames', () => 'last'),
    search('by a whole name', () => 'Ada Smith'),
    search('by last four digits', (turn) => String(1_000 + (one(turn) % 9_000))),
    search('by common last four digits', () => '4242'),
    search('for what is not there', () => 'zzzzz'),
    { work: 'search with a filter', path: () => '/payments?search=smith&state=failed' },
  ]
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

function reportOf(work: string, times: readonly number[]): Report {
  const sorted = sort(times)
  const ms = (share: number): string => quantile(sorted, share).toFixed(0)
  return {
    work,
    beside: '–',
    goal: `p95 ≤ ${goalMs} ms`,
    result: `p95 ${ms(0.95)} ms`,
    spread: `${ms(0)}–${ms(1)} ms`,
    detail: `p50 ${ms(0.5)} ms`,
  }
}

function sort(times: readonly number[]): number[] {
  return times.toSorted((one, other) => one - other)
}
