import { randomBytes } from 'node:crypto'
import pg from 'pg'

// Every test file works on a database of its own, cloned from one that is migrated already. With `npm run cluster` that is a
// spread one, which has a clone on each node.

export const TEMPLATE = 'florin_template'

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  for (const node of nodeUrls()) await administer(`create database ${name} template ${TEMPLATE}`, node)
  // Six clones at once, the two strategies in turn on a busy machine: median 520 and 451 ms, wal_log 598 and 520 ms.
  await administer(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    for (const at of [adminUrl(), ...nodeUrls()]) await dropFrom(at, name)
  }
  return { url: url.href, drop }
}

/** Who serves a spread database by itself, as Citus does, is back in it a moment after it was sent away. */
async function dropFrom(at: string, name: string, triesLeft = 5): Promise<void> {
  try {
    await administer(`drop database if exists ${name} with (force)`, at)
  } catch (error) {
    const isInUse = (error as { code?: string }).code === '55006'
    if (!isInUse || triesLeft === 0) throw error
    await dropFrom(at, name, triesLeft - 1)
  }
}

/** The nodes of a cluster beside the coordinator: none in `npm test`. */
function nodeUrls(): string[] {
  return (process.env['FLORIN_TEST_NODES'] ?? '').split(' ').filter((url) => url !== '')
}

/** The test run's PostgreSQL (global-setup.ts), as its administrator. */
export function adminUrl(): string {
  const url = process.env['FLORIN_TEST_DATABASE_URL']
  if (!url) throw new Error('No database for tests: run them with `npm test -- <file>`')
  return url
}

async function administer(statement: string, url = adminUrl()): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
