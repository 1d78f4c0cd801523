import { createMerchant } from '../src/merchants/create-merchant.ts'
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
  const person = await newPerson(visitor.house, { role: 'owner' })
  await visitor.signIn(person)
  const home = `/dashboard/${merchantId}/test`
  const reports: Report[] = []
  for (const { work, path } of pagesOf(size)) {
    pace.say(work)
    const times: number[] = []
    for (let turn = -warmUps; turn < turnsOf(pace); turn += 1) {
      const began = performance.now()
      const { status } = await visitor.get(home + path(Math.abs(turn)))
      if (status !== 200) throw new Error(`${work} answered ${status}`)
      if (turn >= 0) times.push(performance.now() - began)
    }
    reports.push(reportOf(`dashboard: ${work} of ${size.toLocaleString('en')}`, times))
  }
  return reports
}

const warmUps = 10

/** Enough for a 95th of a hundred where there is time. */
function turnsOf({ seconds }: Pace): number {
  return seconds >= 1 ? 100 : seconds >= 0.5 ? 40 : 5
}

function pagesOf(size: number): Looked[] {
  const one = (turn: number): number => 1 + ((turn * 7_919) % size)
  const search = (work: string, text: (turn: number) => string): Looked => ({
    work: `search ${work}`,
    path: (turn) => `/payments?search=${encodeURIComponent(text(turn))}`,
  })
  return [
    { work: 'home', path: () => '' },
    { work: 'list', path: () => '/payments' },
    { work: 'list of failed ones', path: () => '/payments?state=failed' },
    { work: 'a payment', path: (turn) => `/payments/shop-${one(turn)}` },
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

function reportOf(work: string, times: readonly number[]): Report {
  const sorted = times.toSorted((one, other) => one - other)
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
