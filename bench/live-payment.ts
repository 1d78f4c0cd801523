import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { addAccount } from '../src/core/merchants/accounts/change-accounts.ts'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { sql } from '../src/platform/database/sql.ts'
import { freePort } from '../test/support/free-port.ts'
import { testSecrets, testSecretsKey } from '../test/support/secrets.ts'
import type { CustomersResult } from './customers.ts'
import type { LivePlan } from './live-customers.ts'
import type { StripePlan } from './live-stripe.ts'
import { quantile, runOf, runProgram, summarise, type Pace } from './measure.ts'
import { processorSeconds } from './processor-time.ts'
import type { Report } from './report.ts'
import { openSite, type Site } from './site.ts'
import { payAll } from './whole-payment.ts'

// Whole live payments through Stripe's stand-in, beside whole payments of the test network on the same servers. Of a live
// one four calls more are made between the processes: the page is opened, Stripe calls back, is asked, and the customer is
// led there; the stand-in itself runs on the same cores.

const hook = new URL('./notify-here.ts', import.meta.url).href
const credentials = { secret_key: 'sk_test_bench', webhook_secret: 'whsec_bench' }

export async function benchLivePayment({ rounds, seconds, say }: Pace, customers: number): Promise<Report[]> {
  const stripePort = await freePort()
  await using site = await openSite(1, {
    STRIPE_URL: `http://127.0.0.1:${stripePort}`,
    SECRETS_KEY: testSecretsKey,
    NODE_OPTIONS: `--import=${hook}`,
  })
  const { stripe: atStripe, ...at } = await planOf(site, stripePort)
  using stripe = await startStripe(atStripe)
  const plan: LivePlan = { ...at, stripePagePort: stripe.pagePort, customers, seconds }
  const live = { rates: [] as number[], ratios: [] as number[], costs: [] as number[], p99s: [] as number[] }
  let paid = 0
  for (let round = 0; round <= rounds; round += 1) {
    say(`at the test network, ${runOf(round, rounds)}`)
    const atTestNetwork = await costed(site, async () => payAll(site, customers, seconds))
    say(`live, ${runOf(round, rounds)}`)
    const result = await costed(site, async () => runProgram<CustomersResult>('live-customers.ts', plan))
    if (result.heard !== result.paid) throw new Error(`${result.paid} paid, but ${result.heard} heard of`)
    paid += result.paid
    if (round === 0) {
      await site.db.query(sql`analyze`)
      continue
    }
    const rate = result.paid / result.seconds
    live.rates.push(rate)
    live.ratios.push(rate / (atTestNetwork.paid / atTestNetwork.seconds))
    live.costs.push(result.costMs / atTestNetwork.costMs)
    live.p99s.push(
      quantile(
        result.latenciesMs.toSorted((a, b) => a - b),
        0.99,
      ),
    )
  }
  const lost = paid - (await countPaid(site))
  const ratio = summarise(live.ratios)
  const rate = summarise(live.rates)
  const cost = summarise(live.costs).median.toFixed(1)
  return [
    {
      work: `whole live payment, ${customers} customers`,
      beside: 'a whole payment at the test network, same servers',
      goal: '≥ 0.5 ×, nothing lost',
      result: `${ratio.median.toFixed(2)} ×, ${lost} lost`,
      spread: `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`,
      detail: `${Math.round(rate.median)}/s, p99 ${summarise(live.p99s).median.toFixed(0)} ms, ${cost} × the servers' processor time`,
    },
  ]
}

/** What a payment took of the processors, of the servers alone: on a busy machine it says more than the rate. */
async function costed(
  { servers }: Site,
  pay: () => Promise<CustomersResult>,
): Promise<CustomersResult & { costMs: number }> {
  const pids = servers.map(({ child }) => child.pid ?? 0)
  const before = processorSeconds(pids) ?? NaN
  const result = await pay()
  const spent = (processorSeconds(pids) ?? NaN) - before
  return { ...result, costMs: (spent * 1000) / result.paid }
}

async function planOf(site: Site, stripePort: number) {
  const [merchant] = site.merchants
  if (!merchant) throw new Error('There is no merchant')
  const account = {
    connector: 'stripe',
    credentials,
    label: 'Bench',
    sandbox: true,
    callbacks: 'set_up',
  } as const
  const id = await addAccount(site.db, testSecrets, merchant.id, account)
  const { key } = await createKey(site.db, merchant.id, { kind: 'secret', mode: 'live', name: 'bench' })
  const stripe: StripePlan = {
    port: stripePort,
    secretKey: credentials.secret_key,
    webhookSecret: credentials.webhook_secret,
    callbackUrl: `http://127.0.0.1:${site.port}/callbacks/stripe/${merchant.id}`,
  }
  return { port: site.port, secretKey: key, account: id ?? '', stripe }
}

async function startStripe(plan: StripePlan): Promise<Disposable & { readonly pagePort: number }> {
  const program = fileURLToPath(new URL('live-stripe.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { pagePort: Number(said), [Symbol.dispose]: () => void child.kill() }
}

async function countPaid(site: Site): Promise<number> {
  const [row] = await site.db.query<{ paid: bigint }>(
    sql`select count(*) as paid from payments where mode = 'live' and state = 'success'`,
  )
  return Number(row?.paid ?? 0n)
}
