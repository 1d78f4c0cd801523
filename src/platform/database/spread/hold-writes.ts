import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { sql, type Sql } from '../sql.ts'
import { numberOnEach, readRanges, type HashRange } from './merchant-places.ts'
import { firstTable } from './placement.ts'

// One moment on all nodes of a cluster. Nodes share no snapshot. So on a cluster every write first takes a shared lock
// and holds it until its commit is on all nodes; a snapshot takes the same lock exclusively. Then every earlier write
// has ended, and no new one starts. See docs/decisions/0034-one-moment-of-a-cluster.md. A write takes the lock where it
// is sent: on the coordinator, or on its merchant's node. So the snapshot takes it on all of them.

/**
 * The first statement of every transaction that may change rows. Text without values: it is prepared once per
 * connection.
 */
export const mayWrite = sql`select pg_advisory_xact_lock_shared(4601226338)`

/**
 * The same at a merchant's node, with the lock that Citus takes for each write: a shard that moves takes it alone, on all
 * nodes. 5 is a ShareLock.
 */
export function mayWriteTo(shard: string): Sql {
  return sql`select pg_advisory_xact_lock_shared(4601226338), lock_shard_metadata(5, array[${shard}::bigint])`
}

const alone = 'select pg_advisory_xact_lock(4601226338)'

/**
 * Runs on the node of this merchant, which need not exist, and keeps the lock there until the transaction on the coordinator
 * ends.
 */
const aloneOnNode = `select (${alone}) is null as held, count(*) from ${firstTable} where id = $1::integer`

/** More than need it, at worst: a lock of rows counts, and so does a word in a name. */
export function changesRows({ text }: Sql): boolean {
  return /\b(insert|update|delete|forget_audit_entries)\b/.test(text)
}

/** Writes could not be held; the message says why. */
export class NotHeld extends Error {}

/**
 * Nobody waits for longer: a transaction that takes its time, or one that waits for another of its own process, is let pass
 * instead, and the lock is asked for again.
 */
const waitMaxMs = 1_000
const pauseMs = 1_000
/** Some two minutes. Citus itself ends what was left prepared on a node once a minute. */
const triesMax = 60

/** Runs `work` while nothing changes rows of the cluster. It has to be short. */
export async function holdWrites<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin hold' })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let tries = 1; ; tries += 1) {
      await client.query('begin')
      const hindrance = await takeAlone(client)
      if (hindrance === undefined) {
        const result = await work()
        await client.query('commit')
        return result
      }
      await client.query('rollback')
      if (tries === triesMax) throw new NotHeld(hindrance)
      await pause(pauseMs)
    }
  } finally {
    await client.end()
  }
}

// The lock was not free in time on the coordinator, or on a node.
const notInTime = ['55P03', '57014']

/** What blocks it, if anything does. */
async function takeAlone(client: pg.Client): Promise<string | undefined> {
  await client.query(`set local lock_timeout = ${waitMaxMs}`)
  try {
    await client.query(alone)
    // A node knows no lock_timeout of ours.
    await client.query(`set local statement_timeout = ${waitMaxMs}`)
    for (const number of await numbersOnNodes(client)) await client.query(aloneOnNode, [number])
    await client.query('set local statement_timeout = 0')
  } catch (error) {
    if (!notInTime.includes((error as { code?: string }).code ?? '')) throw error
    return 'Something kept changing rows: perhaps a long-running change by an operator.'
  }
  // Committed on the coordinator, and not yet on a node that was away just then: its rows would be there by half.
  const { rows } = await client.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers(
       'select count(*) from pg_prepared_xacts where database = current_database()')`,
  )
  const away = rows.find(({ success }) => !success)
  if (away) return `Cluster node ${away.node} does not answer.`
  const torn = rows.find(({ result }) => result !== '0')
  return torn && `Node ${torn.node} has not yet finished a transaction that the other nodes committed.`
}

async function numbersOnNodes(client: pg.Client): Promise<number[]> {
  const { rows: ranges } = await client.query<HashRange>(readRanges.text, [...readRanges.values])
  const numbers: number[] = []
  for (const [node, number] of numberOnEach(ranges))
    numbers.push(number ?? (await findMerchantOn(client, ranges, node)))
  return numbers
}

/** Of a node with nothing but shards of a single merchant each (`florin merchant move`). */
async function findMerchantOn(
  client: pg.Client,
  ranges: readonly HashRange[],
  node: string,
): Promise<number> {
  const hashes = ranges.filter((range) => range.node === node).map(({ min }) => min)
  const { rows } = await client.query<{ id: number }>(
    `select id from ${firstTable} where hashint4(id) = any($1::integer[]) limit 1`,
    [hashes],
  )
  if (!rows[0]) throw new NotHeld(`Node ${node} has shards without a merchant.`)
  return rows[0].id
}
