import { asConnections, ratioOf } from './create.ts'
import { fill } from './fill.ts'
import {
  drive,
  interleave,
  startBareServer,
  summarise,
  takeSample,
  type Measured,
  type Pace,
} from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import { merchantAt, type Site, type Target } from './site.ts'

// Look-ups of random payments, beside node:http answering as many bytes without looking.

export async function benchLookUp(
  site: Site,
  pace: Pace,
  size: number,
  connections: readonly number[],
): Promise<Report[]> {
  const { seconds, say } = pace
  say(`filling in ${size.toLocaleString('en')} payments`)
  await fill(site, size)
  const requests = lookUpRequests(site, 'bulk', size, 20_000)
  const authorization = `Bearer ${merchantAt(site, 1).secretKey}`
  const sample = await takeSample(`http://127.0.0.1:${site.port}/api/transaction/bulk-1`, { authorization })
  const bare = await startBareServer(sample)
  const plan = { seconds, requests, repeat: true, expectStatus: 200 }
  try {
    const results = await interleave<string, Measured>(
      pace,
      Object.fromEntries(
        connections.flatMap((count) => [
          [`bare node:http, ${count}`, async () => drive({ ...plan, connections: count, port: bare.port })],
          [`florin, ${count}`, async () => drive({ ...plan, connections: count, port: site.port })],
        ]),
      ),
    )
    return connections.map((count) => {
      const bareRates = (results[`bare node:http, ${count}`] ?? []).map((each) => each.perSecond)
      const limit = summarise(bareRates).median
      return {
        work: `look-up of ${size.toLocaleString('en')}, ${asConnections(count)}`,
        beside: `bare node:http, same bytes: ${Math.round(limit)}/s`,
        goal: goals.get(count) ?? '–',
        ...ratioOf(results[`florin, ${count}`] ?? [], limit),
      }
    })
  } finally {
    bare.stop()
  }
}

const goals = new Map([[64, '≥ 0.6 ×']])

/** Of random ones among `size` payments, whose references are numbered from 1 on. */
export function lookUpRequests(target: Target, references: string, size: number, count: number): string[] {
  return Array.from({ length: count }, () => {
    const index = 1 + Math.floor(Math.random() * size)
    const { secretKey } = merchantAt(target, index)
    return httpRequest('GET', `/api/transaction/${references}-${index}`, { key: secretKey })
  })
}
