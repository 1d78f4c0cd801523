import { creates } from './create.ts'
import { fill } from './fill.ts'
import { httpRequest } from './http-client.ts'
import { lookUpRequests } from './look-up.ts'
import { drive, interleave, summarise, type Measured, type Pace } from './measure.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// Whether a create, a look-up and the newest page cost more when the table holds more. The small one stays beside the
// one that grows and is measured in turn with it: what the machine does meanwhile slows both.

export async function benchGrowth(
  open: () => Promise<Site>,
  pace: Pace,
  sizes: readonly number[],
): Promise<Report[]> {
  const [least = 0, ...larger] = sizes
  await using small = await open()
  await using grown = await open()
  await fill(small, least)
  const reports: Report[] = []
  for (const size of larger) {
    pace.say(`filling in ${size.toLocaleString('en')} payments`)
    await fill(grown, size)
    for (const work of works) {
      const say = (doing: string): void => pace.say(`${work} at ${size.toLocaleString('en')}, ${doing}`)
      const results = await interleave(
        { ...pace, say },
        {
          small: () => measure(small, work, pace.seconds, least),
          grown: () => measure(grown, work, pace.seconds, size),
        },
      )
      reports.push(reportOf(work, { least, size }, results))
    }
  }
  return reports
}

const works = ['create', 'look-up', 'newest page'] as const
type Work = (typeof works)[number]

/** At a load that keeps the whole system busy. */
async function measure(site: Site, work: Work, seconds: number, size: number): Promise<Measured> {
  if (work === 'create') return creates(site, 32, seconds)
  const requests =
    work === 'newest page'
      ? site.merchants.map(({ secretKey }) => httpRequest('GET', '/api/transactions', { key: secretKey }))
      : lookUpRequests(site, 'bulk', size, 5_000)
  return drive({ port: site.port, connections: 32, seconds, requests, repeat: true, expectStatus: 200 })
}

function reportOf(
  work: Work,
  { least, size }: { least: number; size: number },
  results: Readonly<Record<'small' | 'grown', readonly Measured[]>>,
): Report {
  const costs = results.grown.map(
    ({ perSecond }, round) => (results.small[round]?.perSecond ?? NaN) / perSecond,
  )
  const { median, low, high } = summarise(costs)
  const rate = (measured: readonly Measured[]): string =>
    `${Math.round(summarise(measured.map(({ perSecond }) => perSecond)).median)}/s`
  return {
    work: `${work} at ${size.toLocaleString('en')} payments`,
    beside: `itself at ${least.toLocaleString('en')}: ${rate(results.small)}`,
    goal: 'cost ≤ 1.3 ×',
    result: `${median.toFixed(2)} ×`,
    spread: `${low.toFixed(2)}–${high.toFixed(2)}`,
    detail: rate(results.grown),
  }
}
