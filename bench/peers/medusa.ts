import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countPackages, installApp, runIn } from './install.ts'
import { medusaApp } from './medusa-app.ts'
import { shares, type Call, type Plan } from './plan.ts'
import { many, openPlace, startOften, type Peer } from './server.ts'
import { serveAlone } from './serve-alone.ts'

// node bin/run.js bench/peers/medusa.ts [folder]: Medusa 2, from npm to a server that takes payments.

type Seed = { readonly key: string; readonly carts: readonly { cart: string; collection: string }[] }

const lookUps = 200
// More than a round of six seconds has used.
const creates = shares * 400
// As a payment is looked up: without the cart's lines, which would cost Medusa twice as much.
const fields =
  'id,currency_code,payment_collection.amount,payment_collection.status,payment_collection.payment_sessions.status'

export async function openMedusa(folder: string, say: (doing: string) => void): Promise<Peer> {
  await using opened = new AsyncDisposableStack()
  say('installing')
  await installApp(folder, medusaApp)
  const place = await openPlace(opened)
  const { port, postgresPid } = place
  const env = { ...place.env, MEDUSA_DISABLE_TELEMETRY: 'true' }
  const cli = join('node_modules', '@medusajs', 'cli', 'cli.js')
  say('migrating')
  await runIn(folder, [cli, 'db:migrate'], env)
  say('filling in carts')
  await runIn(folder, [cli, 'exec', './seed.js', String(creates + lookUps)], env)
  const { key, carts } = JSON.parse(readFileSync(join(folder, 'seed.json'), 'utf8')) as Seed
  say('starting')
  const args = [cli, 'start', '--host', '127.0.0.1', '--port', String(port)]
  const { pid, readySeconds } = await startOften(opened, { folder, args, env, port, readyPath: '/health' })
  const headers = { 'x-publishable-api-key': key }
  const sessions = carts.map(({ collection }) => sessionOf(collection, headers))
  await many(lookUps, async (at) => send(port, sessions[at] as Call))
  const create: Plan = {
    port,
    expectStatus: 200,
    expectText: '"pending"',
    once: true,
    calls: sessions.slice(lookUps),
  }
  const calls = carts
    .slice(0, lookUps)
    .map(({ cart }) => ({ method: 'GET', path: `/store/carts/${cart}?fields=${fields}`, headers }))
  const lookUp: Plan = { port, expectStatus: 200, expectText: '"pending"', calls }
  const closing = opened.move()
  return {
    name: 'Medusa',
    create,
    lookUp,
    packages: countPackages(folder),
    readySeconds,
    pids: [pid, postgresPid],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

function sessionOf(collection: string, headers: Readonly<Record<string, string>>): Call {
  const path = `/store/payment-collections/${collection}/payment-sessions`
  return { method: 'POST', path, headers, body: { provider_id: 'pp_system_default' } }
}

async function send(port: number, { method, path, headers, body }: Call): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serveAlone('medusa', openMedusa)
