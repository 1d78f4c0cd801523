import { ratioOf } from './create.ts'
import { drive, interleave, startBareServer, summarise, takeSample, type Pace } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import { merchantAt, type Site, type Target } from './site.ts'

// The checkout page, beside node:http answering as many bytes.

const payments = 50

export async function benchPage(site: Site, pace: Pace): Promise<Report[]> {
  const { seconds } = pace
  const paths = await openPayments(site)
  const bare = await startBareServer(await takeSample(`http://127.0.0.1:${site.port}${paths[0]}`))
  const requests = paths.map((path) => httpRequest('GET', path))
  const plan = { connections: 64, seconds, requests, repeat: true, expectStatus: 200 }
  try {
    const results = await interleave(pace, {
      'bare node:http': () => drive({ ...plan, port: bare.port }),
      florin: () => drive({ ...plan, port: site.port }),
    })
    const limit = summarise(results['bare node:http'].map((each) => each.perSecond)).median
    const beside = `bare node:http, same bytes: ${Math.round(limit)}/s`
    return [{ work: 'checkout page', beside, goal: '≥ 0.4 ×', ...ratioOf(results.florin, limit) }]
  } finally {
    bare.stop()
  }
}

/** Returns the paths of their pages. */
export async function openPayments(target: Target): Promise<string[]> {
  const paths: string[] = []
  for (let count = 0; count < Math.max(payments, target.merchants.length); count += 1) {
    const { secretKey } = merchantAt(target, count)
    const created = await fetch(`http://127.0.0.1:${target.port}/api/payment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
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
  return paths
}
