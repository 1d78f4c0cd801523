import { fill } from './look-up.ts'
import { creates } from './create.ts'
import { httpRequest } from './http-client.ts'
import { drive, summarise, type Measured } from './measure.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// Whether a create, a look-up and the newest page cost more when the table holds more.

export async function benchGrowth(
  site: Site,
  rounds: number,
  seconds: number,
  sizes: readonly number[],
): Promise<Report[]> {
  const costs = new Map<number, Record<Work, number>>()
  for (const size of sizes) {
    await fill(site, size)
    costs.set(size, await measure(site, rounds, seconds, size))
  }
  const [smallest, ...larger] = sizes
  const base = costs.get(smallest ?? 0)
  return larger.flatMap((size) =>
    works.map((work): Report => {
      const ratio = (costs.get(size)?.[work] ?? 0) / (base?.[work] ?? 1)
      const least = (smallest ?? 0).toLocaleString('en')
      return {
        work: `${work} at ${size.toLocaleString('en')} payments`,
        beside: `itself at ${least}`,
        goal: 'cost within 1.3 ×',
        result: `${ratio.toFixed(2)} ×`,
        spread: '',
        detail: `${((costs.get(size)?.[work] ?? 0) * 1000).toFixed(0)} µs each, ${((base?.[work] ?? 0) * 1000).toFixed(0)} µs at ${least}`,
      }
    }),
  )
}

const works = ['create', 'look-up', 'newest page'] as const
type Work = (typeof works)[number]

/** Milliseconds of the whole system per answer, at a load that keeps it busy. */
async function measure(
  site: Site,
  rounds: number,
  seconds: number,
  size: number,
): Promise<Record<Work, number>> {
  const get = (path: string): string => httpRequest('GET', path, { key: site.secretKey })
  const lookUps = Array.from({ length: 5_000 }, () =>
    get(`/api/transaction/bulk-${1 + Math.floor(Math.random() * size)}`),
  )
  const plan = { port: site.port, connections: 32, seconds, repeat: true, expectStatus: 200 }
  const cost = async (measureOnce: () => Promise<Measured>): Promise<number> => {
    const rates: number[] = []
    for (let round = 0; round < rounds; round += 1) rates.push((await measureOnce()).perSecond)
    return 1000 / summarise(rates).median
  }
  return {
    create: await cost(() => creates(site, 32, seconds)),
    'look-up': await cost(() => drive({ ...plan, requests: lookUps })),
    'newest page': await cost(() => drive({ ...plan, requests: [get('/api/transactions')] })),
  }
}
