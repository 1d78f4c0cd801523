import { ratioOf } from './create.ts'
import { drive, interleave, startBareServer, summarise, takeSample } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// The checkout page, beside node:http answering as many bytes.

export async function benchPage(site: Site, rounds: number, seconds: number): Promise<Report[]> {
  const paths: string[] = []
  for (let count = 0; count < 50; count += 1) {
    const created = await fetch(`${site.server.url}/api/payment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        tx_ref: `page-${count}`,
        amount: '10',
        currency: 'GBP',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
      }),
    })
    const { data } = (await created.json()) as { data: { checkout_url: string } }
    paths.push(new URL(data.checkout_url).pathname)
  }
  const bare = await startBareServer(await takeSample(site.server.url + paths[0]))
  const requests = paths.map((path) => httpRequest('GET', path))
  const plan = { connections: 64, seconds, requests, repeat: true, expectStatus: 200 }
  try {
    const results = await interleave(rounds, {
      bare: () => drive({ ...plan, port: bare.port }),
      florin: () => drive({ ...plan, port: site.port }),
    })
    const limit = summarise(results.bare.map((each) => each.perSecond)).median
    const beside = `bare node:http, same bytes: ${Math.round(limit)}/s`
    return [{ work: 'checkout page', beside, goal: '≥ 0.4 ×', ...ratioOf(results.florin, limit) }]
  } finally {
    bare.stop()
  }
}
