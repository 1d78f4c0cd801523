import pg from 'pg'
import { SpreadRefused } from './spread.ts'

// A backup and a merchant that moves keep out of each other's way. A move that began during a backup would wait for its end,
// and all writes of the merchant with it.

const lock = 4_601_226_339n

/** Until the connection ends no `florin` command moves a merchant. */
export async function keepInPlace(client: pg.Client): Promise<void> {
  if (!(await take(client, 'pg_try_advisory_lock_shared')))
    throw new SpreadRefused('A merchant is being moved to another node. Try again when that has finished.')
}

/** Until the connection ends; not while a backup is read, or another merchant moves. */
export async function mayMove(client: pg.Client): Promise<void> {
  if (!(await take(client, 'pg_try_advisory_lock')))
    throw new SpreadRefused(
      'A backup is running, or another merchant is being moved. Try again when that has finished.',
    )
}

async function take(client: pg.Client, verb: string): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(`select ${verb}($1) as mine`, [lock])
  return rows[0]?.mine ?? false
}

/** Which rows are on which node, as one text; Citus' own commands move shards whatever we lock. */
export async function readPlacements(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ places: string }>(`
      select string_agg(concat_ws(' ', shardid, groupid, shardminvalue, shardmaxvalue), ',' order by shardid, groupid) as places
      from pg_dist_shard join pg_dist_placement using (shardid)`)
    return rows[0]?.places ?? ''
  } finally {
    await client.end()
  }
}
