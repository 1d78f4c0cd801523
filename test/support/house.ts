import { lists } from '../../src/app/commands/lists.ts'
import { makeApp, type App, type AppOptions } from '../../src/app/app.ts'
import { withNetworks } from '../../src/cli/connector/networks.ts'
import { checkLive } from '../../src/cli/merchant/check-live.ts'
import { readConfig, type Config } from '../../src/platform/settings/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import type { Secrets } from '../../src/platform/secrets/secrets.ts'
import { createTestDatabase } from './database.ts'
import { patience } from './patience.ts'
import { testKeyRing, testSecretsKey } from './secrets.ts'

// A whole Florin for one test file: its own database, a server that listens on a free port, a merchant with keys.

export type House = {
  readonly app: App
  readonly url: string
  readonly db: Database
  readonly secrets: Secrets
  readonly databaseUrl: string
  readonly merchantId: number
  readonly secretKey: string
  readonly liveKey: string
  readonly apiKey: string
  /** What was logged so far, one JSON object a line. */
  log(): string
  close(): Promise<void>
}

export type HouseOptions = {
  readonly settings?: Record<string, string>
  readonly databaseUrl?: string
  readonly world?: AppOptions
}

// Longer than the minute of a shop, for the same reason as patience.ts.
const mailTimeoutMs = 600_000

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const database = options.databaseUrl ? undefined : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const config = testConfig(options.settings)
  const lines: string[] = []
  const app = makeApp(
    config,
    databaseUrl,
    testKeyRing(config.SECRETS_KEY),
    makeLog('info', { write: (line: string) => void lines.push(line) }),
    {
      // As `serve` does it.
      checkLive: async (keeping, merchantId, how) =>
        withNetworks(config, lists, async (networks) =>
          checkLive(config, keeping, networks, merchantId, how),
        ),
      mailTimeoutMs,
      ...options.world,
    },
  )
  const close = async (): Promise<void> => {
    await app.close()
    await database?.drop()
  }
  try {
    const url = await app.server.listen({ host: '127.0.0.1', port: config.PORT })
    const account = await openAccount(app.db)
    return {
      app,
      url,
      db: app.db,
      secrets: app.secrets,
      databaseUrl,
      ...account,
      log: () => lines.join(''),
      close,
    }
  } catch (error) {
    // A house that did not open would keep its connections for as long as the test runs.
    await close().catch(() => {})
    throw error
  }
}

async function openAccount(db: Database) {
  const merchantId = await createMerchant(db, { name: 'Corner shop', liveEnabled: true })
  const secret = await createKey(db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  const live = await createKey(db, merchantId, { kind: 'secret', mode: 'live', name: 'live' })
  const api = await createKey(db, merchantId, { kind: 'api', name: 'api' })
  return { merchantId, secretKey: secret.key, liveKey: live.key, apiKey: api.key }
}

/** Settings of a test: nothing from this machine's environment or .env. */
export function testConfig(settings: Record<string, string> = {}): Config {
  return readConfig(
    {
      PORT: '0',
      BASE_URL: 'http://127.0.0.1:3000',
      SECRETS_KEY: testSecretsKey,
      ...patience,
      ...settings,
    },
    '/nonexistent',
  )
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Envelope
}
export type Envelope = {
  status: string
  message: string
  data: never
  code?: string
  errors?: Record<string, string[]>
  existing?: { status: string; checkout_url?: string }
}

/** One request, read to its end; `json` is the body when it is JSON. */
export async function call(
  url: string,
  init: RequestInit & { key?: string; body?: string } = {},
): Promise<Answer> {
  const headers = new Headers(init.headers)
  if (init.key !== undefined) headers.set('authorization', `Bearer ${init.key}`)
  const answer = await fetch(url, { redirect: 'manual', ...init, headers })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson ? (JSON.parse(text) as Envelope) : ({} as Envelope),
  }
}

export async function post(
  url: string,
  body: unknown,
  key?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    ...(key !== undefined && { key }),
  })
}
