import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Database } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createKey } from '../../src/merchants/change-keys.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { testSecretsKey } from '../../test/support/secrets.ts'
import { unlimited } from '../site.ts'
import { countPackages } from './install.ts'
import type { Call, Plan } from './plan.ts'
import { many, openPlace, startOften, type Peer } from './server.ts'
import { serveAlone } from './serve-alone.ts'

// node bin/run.js bench/peers/florin.ts [folder]: this Florin, in one process as its peers.

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = fileURLToPath(new URL('../../bin/florin', import.meta.url))
const lookUps = 200

export async function openFlorin(folder: string, say: (doing: string) => void): Promise<Peer> {
  await using opened = new AsyncDisposableStack()
  mkdirSync(folder, { recursive: true })
  const { port, databaseUrl, postgresPid, env: common } = await openPlace(opened)
  say('migrating')
  await migrate(databaseUrl)
  const headers = { Authorization: `Bearer ${await makeKey(databaseUrl)}` }
  say('starting')
  const env = { ...common, ...unlimited, SECRETS_KEY: testSecretsKey, ALLOW_UNSAFE_DATABASE: 'on' }
  const args = [program, 'serve']
  const { pid, readySeconds } = await startOften(opened, { folder, args, env, port, readyPath: '/readyz' })
  await many(lookUps, async (at) => {
    const { method, path, body } = paymentOf(`known-${at}`, headers)
    const type = { 'Content-Type': 'application/json' }
    const init = { method, headers: { ...headers, ...type }, body: JSON.stringify(body) }
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, init)
    if (status !== 201) throw new Error(`A create answered ${status}`)
  })
  const calls = [paymentOf('peer-#', headers)]
  const create: Plan = { port, expectStatus: 201, expectText: '"success"', counted: '#', calls }
  const known = Array.from({ length: lookUps }, (_, at) => ({
    method: 'GET',
    path: `/api/transaction/known-${at}`,
    headers,
  }))
  const lookUp: Plan = { port, expectStatus: 200, expectText: '"known-', calls: known }
  const closing = opened.move()
  return {
    name: 'Florin',
    create,
    lookUp,
    packages: countPackages(root),
    readySeconds,
    pids: [pid, postgresPid],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function makeKey(databaseUrl: string): Promise<string> {
  const db = new Database(databaseUrl, { poolSize: 1, statementTimeoutMs: 60_000 })
  try {
    const merchant = await createMerchant(db, { name: 'Peer', liveEnabled: true })
    return (await createKey(db, merchant, { kind: 'secret', mode: 'test', name: 'peer' })).key
  } finally {
    await db.close()
  }
}

function paymentOf(reference: string, headers: Readonly<Record<string, string>>): Call {
  return {
    method: 'POST',
    path: '/api/payment',
    headers,
    body: {
      tx_ref: reference,
      amount: '12.50',
      currency: 'GBP',
      email: 'ada@example.com',
      first_name: 'Ada',
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serveAlone('florin', openFlorin)
