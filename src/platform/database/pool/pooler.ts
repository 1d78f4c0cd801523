import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

// PgBouncer and the like. With pool_mode = transaction they hand a connection to another client after each commit,
// which loses everything that belongs to a session: notifications, locks that outlive a transaction, prepared
// statements, settings. With DATABASE_LISTEN_URL, which leads to PostgreSQL itself, Florin does without them on
// DATABASE_URL.

/** The message is one line for the operator. */
export class PoolerRefused extends Error {}

const heardWithinMs = 3_000

/** Refuses an address from which no notification would ever come. `name`: the setting it is from. */
export async function refuseSharedSessions(url: string, name: string, timeoutMs: number): Promise<void> {
  const [listening, speaking] = [openClient(url, timeoutMs), openClient(url, timeoutMs)]
  try {
    await listening.connect()
    if (!(await isThroughPooler(listening))) return
    await speaking.connect()
    if (await receives(listening, speaking)) return
  } finally {
    await Promise.allSettled([listening.end(), speaking.end()])
  }
  const advice =
    name === 'DATABASE_URL' ? 'set DATABASE_LISTEN_URL to PostgreSQL itself' : 'set it to PostgreSQL itself'
  throw new PoolerRefused(
    `${name} points to a pooler in transaction mode, which passes no notifications: ${advice}.`,
  )
}

function openClient(connectionString: string, timeoutMs: number): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: 'florin start',
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  return client
}

/** A pooler makes up the number of the process, since there may be another one behind it each time. */
async function isThroughPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID
}

async function receives(listening: pg.Client, speaking: pg.Client): Promise<boolean> {
  const channel = `florin_probe_${randomUUID().replaceAll('-', '')}`
  const heard = new Promise<true>((resolve) => listening.on('notification', () => resolve(true)))
  await listening.query(`listen ${channel}`)
  await speaking.query(`notify ${channel}`)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), heardWithinMs)
  })
  try {
    return await Promise.race([heard, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A pooler takes no settings from us, so the role has to have those that answers depend on. */
export async function refuseWrongSettings(db: Database): Promise<void> {
  const [row] = await db.query<{ zone: string; style: string; timeout: string; role: string }>(sql`
    select current_setting('TimeZone') as zone, current_setting('DateStyle') as style,
           current_setting('statement_timeout') as timeout, quote_ident(current_user) as role`)
  if (row === undefined) return
  const wanted = [
    ...(['UTC', 'Etc/UTC', 'GMT'].includes(row.zone) ? [] : [`timezone = 'UTC'`]),
    ...(row.style.startsWith('ISO') ? [] : [`datestyle = 'ISO'`]),
    ...(row.timeout === '0' ? [`statement_timeout = '10s'`] : []),
  ]
  if (wanted.length === 0) return
  const statements = wanted.map((setting) => `alter role ${row.role} set ${setting};`).join(' ')
  throw new PoolerRefused(
    `The pooler of DATABASE_URL passes no settings. Set them on the role, then restart the pooler: ${statements}`,
  )
}
