import { ratioOf } from './create.ts'
import { fill } from './fill.ts'
import { drive, interleave, startBareServer, summarise, takeSample } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// Look-ups of random payments, beside node:http answering as many bytes without looking.

export async function benchLookUp(
  site: Site,
  rounds: number,
  seconds: number,
  size: number,
): Promise<Report[]> {
  await fill(site, size)
  const requests = Array.from({ length: 20_000 }, () =>
    httpRequest('GET', `/api/transaction/bulk-${1 + Math.floor(Math.random() * size)}`, {
      key: site.secretKey,
    }),
  )
  const authorization = `Bearer ${site.secretKey}`
  const sample = await takeSample(`${site.server.url}/api/transaction/bulk-1`, { authorization })
  const bare = await startBareServer(sample)
  const plan = { connections: 64, seconds, requests, repeat: true, expectStatus: 200 }
  try {
    const results = await interleave(rounds, {
      bare: () => drive({ ...plan, port: bare.port }),
      florin: () => drive({ ...plan, port: site.port }),
    })
    const limit = summarise(results.bare.map((each) => each.perSecond)).median
    const beside = `bare node:http, same bytes: ${Math.round(limit)}/s`
    return [
      {
        work: `look-up of ${size.toLocaleString('en')}`,
        beside,
        goal: '≥ 0.5 ×',
        ...ratioOf(results.florin, limit),
      },
    ]
  } finally {
    bare.stop()
  }
}
