import { httpRequest } from './http-client.ts'
import { drive, runOf, startBareServer, summarise, type Pace } from './measure.ts'
import type { Report } from './report.ts'

// How fast the load generator itself can go: a server that answers three bytes without looking.

export async function benchCeiling({ rounds, seconds, say }: Pace): Promise<Report[]> {
  const bare = await startBareServer({ headers: { 'content-length': '3' }, body: 'yes' })
  try {
    const rates: number[] = []
    const plan = {
      connections: 64,
      seconds,
      requests: [httpRequest('GET', '/')],
      repeat: true,
      expectStatus: 200,
    }
    for (let round = 1; round <= rounds; round += 1) {
      say(runOf(round, rounds))
      rates.push((await drive({ ...plan, port: bare.port })).perSecond)
    }
    const { median, low, high } = summarise(rates)
    return [
      {
        work: 'ceiling of the generator',
        beside: '–',
        goal: '–',
        result: `${Math.round(median)}/s`,
        spread: `${Math.round(low)}–${Math.round(high)}`,
        detail: 'bare node:http, three bytes',
      },
    ]
  } finally {
    bare.stop()
  }
}
