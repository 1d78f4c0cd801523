import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../../test/support/free-port.ts'
import { call, post } from '../../../test/support/house.ts'
import type { LiveHouse } from '../../../test/support/networks/live-house.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { writePackage } from '../write-package.ts'

// A real Medusa with a database of its own, one chair in it, and the plugin as `npm run medusa-package` makes it.

const folder = join(resolve(process.argv[2] ?? ''), 'medusa')
const here = fileURLToPath(new URL('.', import.meta.url))

export type Seeded = {
  readonly region: string
  readonly channel: string
  readonly key: string
  readonly variant: string
}

export type Medusa = Seeded & {
  readonly url: string
  readonly query: <T>(text: string, values?: unknown[]) => Promise<T[]>
  readonly token: string
  stop(): Promise<void>
}

const owner = { email: 'owner@example.com', password: 'chairs-and-tables' }

export async function startMedusa(house: LiveHouse, say: (text: string) => void): Promise<Medusa> {
  const database = new URL(house.databaseUrl)
  database.pathname = `/medusa_${process.pid}`
  const admin = new pg.Client({ connectionString: house.databaseUrl })
  await admin.connect()
  await admin.query(`create database medusa_${process.pid}`)
  await admin.end()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const hook = await post(
    `${house.url}/api/endpoints`,
    { url: `${url}/hooks/payment/florin_florin` },
    house.secretKey,
  )
  assert.equal(hook.status, 201, hook.text)
  const environment = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: database.href,
    FLORIN_URL: house.url,
    FLORIN_KEY: house.secretKey,
    FLORIN_WEBHOOK_SECRET: (hook.json.data as { secret: string }).secret,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'development',
  }
  writePackage(join(folder, 'node_modules/florin-medusa'))
  for (const name of ['seed.js', 'medusa-config.js']) copyFileSync(join(here, name), join(folder, name))
  say('Medusa makes its tables, which takes a minute')
  await medusa(environment, 'db:migrate', '--skip-scripts', '--execute-safe-links')
  const seeded = JSON.parse(
    /SEEDED (.*)/.exec(await medusa(environment, 'exec', './seed.js'))?.[1] ?? 'null',
  ) as Seeded
  await medusa(environment, 'user', '-e', owner.email, '-p', owner.password)
  const child = start(environment, 'start')
  await waitUntil(
    'Medusa answers',
    async () => (await call(`${url}/health`).catch(() => null))?.status === 200,
  )
  const pool = new pg.Pool({ connectionString: environment.DATABASE_URL })
  const signedIn = await post(`${url}/auth/user/emailpass`, owner)
  return {
    ...seeded,
    url,
    token: (signedIn.json as unknown as { token: string }).token,
    query: async <T>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as T[],
    async stop() {
      child.kill()
      await new Promise((done) => child.on('close', done))
      await pool.end()
    },
  }
}

function start(
  environment: NodeJS.ProcessEnv,
  ...args: readonly string[]
): ChildProcess & { output: () => string } {
  const cli = join(folder, 'node_modules/@medusajs/cli/cli.js')
  // By the Node that shops use, not by the one that Florin brings.
  const child = spawn('node', [cli, ...args], { cwd: folder, env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      writeFileSync(join(folder, `${args[0]?.replace(':', '-')}.log`), output)
    })
  return Object.assign(child, { output: () => output })
}

async function medusa(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> {
  const child = start(environment, ...args)
  const code = await new Promise((done) => child.on('close', done))
  assert.equal(code, 0, child.output())
  return child.output()
}
