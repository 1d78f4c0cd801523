import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/postgres/embedded.ts'
import type { EmbeddedPostgres } from '../../src/platform/postgres/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { TEMPLATE } from './database.ts'

// One PostgreSQL for the whole run, thrown away at its end.

let postgres: EmbeddedPostgres | undefined
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  folder = process.env['FLORIN_TEST_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'florin-tests-'))
  postgres = await startEmbedded({
    dataDir: folder,
    settings: {
      fsync: 'off', // it need not survive the machine, only our kills
      full_page_writes: 'off',
      max_connections: '300',
      autovacuum: 'off',
    },
  })
  await shortenSignIn(postgres.url)
  await query(postgres.url, `create database ${TEMPLATE}`)
  const template = new URL(postgres.url)
  template.pathname = `/${TEMPLATE}`
  await migrate(template.href)
  // Nobody may sit in the template: a connection there would make every clone fail.
  await query(postgres.url, `alter database ${TEMPLATE} with is_template true allow_connections false`)
  process.env['FLORIN_TEST_DATABASE_URL'] = postgres.url
}

// Left out when a run is killed: then PostgreSQL stops by itself and all.js removes the folder.
export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
}

/** Tests connect thousands of times. Hashing the password 4096 times takes nearly half of a connection's processor time. */
export async function shortenSignIn(url: string): Promise<void> {
  const { username, password } = new URL(url)
  await query(url, `set scram_iterations = 1; alter role ${username} password '${password}'`)
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
