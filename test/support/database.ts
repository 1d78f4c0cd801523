import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { isShared, keep } from '../runner/keep.ts'

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
    for (const at of [adminUrl(), ...nodeUrls()])
      await administer(`drop database if exists ${name} with (force)`, at)
  }
  return { url: url.href, drop }
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

/** Tried again while somebody is in it: autovacuum, or what Citus runs by itself, is back a moment after it was sent away. */
export async function administer(statement: string, url = adminUrl(), triesLeft = 5): Promise<void> {
  const client = await (isShared() ? keptConnection(url) : connect(url))
  try {
    await client.query(statement)
  } catch (error) {
    const isInUse = (error as { code?: string }).code === '55006'
    if (!isInUse || triesLeft === 0) throw error
    await administer(statement, url, triesLeft - 1)
  } finally {
    if (!isShared()) await client.end()
  }
}

const kept = new Map<string, Promise<pg.Client>>()

/** One for all files of a worker: a new one takes 10 ms of processor time, and every database would need two. */
async function keptConnection(url: string): Promise<pg.Client> {
  const known = kept.get(url) ?? connectForAll(url)
  kept.set(url, known)
  return known
}

async function connectForAll(url: string): Promise<pg.Client> {
  const client = (await connect(url)) as pg.Client & { unref(): void }
  client.unref() // no file has left it behind
  client.on('error', () => {})
  client.on('end', () => kept.delete(url))
  keep({ program: url, close: async () => client.end() })
  return client
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
