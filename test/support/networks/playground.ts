import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { signingSecretOf, startNetworks, type Networks } from './start-networks.ts'

// `npm run start:playground`: a Florin that takes live payments at networks on this machine, for whoever wants to click
// through a live journey. It has a folder of its own that goes with it, and reads neither `.env` nor the environment's
// DATABASE_URL: no account with real credentials can be in it. None can be added either, as accounts are tried before they
// are stored and the stand-ins know their own credentials only.

const program = fileURLToPath(new URL('../../../src/florin.ts', import.meta.url))
const port = process.env['PORT'] ?? '3000'
const baseUrl = `http://127.0.0.1:${port}`

const folder = mkdtempSync(join(tmpdir(), 'florin-playground-'))
const networks = await startNetworks()
const settings = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TERM: process.env['TERM'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  PORT: port,
  DATA_DIR: join(folder, 'data'),
  STRIPE_URL: networks.stripe.url,
  GOCARDLESS_URL: networks.gocardless.url,
  PAYSTACK_URL: networks.paystack.url,
  PAYPAL_URL: networks.paypal.url,
  LOG_LEVEL: 'warn',
}

const server = start(['serve'], 'pipe')
const ended = once(server, 'exit') as Promise<[number | null]>
// A terminal sends Ctrl-C to all of its processes, and npm sends it on; whoever comes first, the folder is cleared.
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopping = true
    server.kill('SIGTERM')
  })
}
try {
  await ready(server)
  await tell(await switchOn(networks))
} catch (error) {
  if (!isStopping) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  server.kill('SIGTERM')
}
const [code] = await ended
await networks.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = code ?? 1

function start(args: readonly string[], output: 'pipe' | 'inherit'): ChildProcess {
  const stdio = ['pipe', output, 'inherit'] as const
  const options = { cwd: folder, env: settings, stdio: [...stdio] }
  return spawn(process.execPath, [program, ...args], options)
}

/** What it says before that, such as the keys of a test merchant, would only be in the way. */
async function ready(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  let isReady = false
  child.stdout?.on('data', (chunk: Buffer) => {
    if (isReady) {
      process.stdout.write(chunk)
      return
    }
    said += chunk.toString('utf8')
    isReady = said.includes('Florin is ready at')
    if (isReady) resolve()
  })
  child.once('exit', () => reject(new Error(`Florin did not start:\n${said}`)))
  return promise
}

type SwitchedOn = { readonly key: string; readonly dashboard: string }

/** Connects all networks; returns a live key, and a link that signs in to the dashboard. */
async function switchOn(all: Networks): Promise<SwitchedOn> {
  for (const { connector, credentials } of all.accounts) {
    await run(['connector', 'add', connector, '--file', '-'], JSON.stringify(credentials))
  }
  const [account] = JSON.parse(await run(['connector', 'list', '--json'])) as { merchant: number }[]
  const merchant = account?.merchant ?? 0
  for (const { connector } of all.accounts)
    all[connector].callbacks.to(
      `${baseUrl}/callbacks/${connector}/${merchant}`,
      signingSecretOf(all, connector),
    )
  await run(['merchant', 'live', 'on', '--force'])
  const made = await run(['key', 'create', '--mode', 'live', '--name', 'Playground', '--json'])
  const owner = ['--email', 'ada@example.com', '--owner-of', String(merchant)]
  const dashboard = await run(['sign-in-link', ...owner])
  return { key: /sk_live_\w+/.exec(made)?.[0] ?? '', dashboard: dashboard.trim() }
}

async function run(args: readonly string[], input = ''): Promise<string> {
  const child = start(args, 'pipe')
  child.stdin?.end(input)
  const [said, [exitCode]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  if (exitCode !== 0) throw new Error(`florin ${args.join(' ')} ended with ${exitCode}: ${said}`)
  return said
}

async function tell({ key, dashboard }: SwitchedOn): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/payment`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: '19.99',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      tx_ref: `playground-${Date.now()}`,
      customization: { title: 'Two seats' },
    }),
  })
  const { data } = (await answer.json()) as { data?: { checkout_url: string } }
  process.stdout.write(`
A Florin that takes live payments, at networks on this machine. No money moves, and all of it is gone when you stop it.

  Dashboard    ${dashboard}
               (signs you in once, within 15 minutes; choose a password there to come back)
  Stripe       ${networks.stripe.url}
  GoCardless   ${networks.gocardless.url}
  Paystack     ${networks.paystack.url}
  PayPal       ${networks.paypal.url}
  Live key     ${key}

Pay this one:  ${data?.checkout_url ?? `it was refused with ${answer.status}`}
Dispute one:   choose the card, then "Pay, then dispute the payment" on Stripe's page. The dashboard shows it under Disputes.
Another one:   curl ${baseUrl}/api/payment -H "Authorization: Bearer ${key}" -d amount=5 -d currency=GBP -d tx_ref=order-$(date +%s) \\
                 -d email=ada@example.com -d first_name=Ada -d "customization[title]=Two seats"
At Paystack:   the same with amount=500 and currency=NGN, ZAR, GHS, KES or XOF; the last three have mobile money.
A busy shop:   DATA_DIR=${settings.DATA_DIR} BASE_URL=${baseUrl} bin/florin demo --yes --email ada@example.com
               fills a test merchant with three months of payments and prints a link to its dashboard.
`)
}
