import pg from 'pg'
import type { Sql } from '../src/platform/database/sql.ts'
import { isInsertSelect } from '../src/platform/database/spread/insert-by-value.ts'
import { Connection } from '../src/platform/database/statement.ts'

// Where the statements of Florin go: each is noted while it is used, then explained.

export type Route = {
  readonly text: string
  readonly tasks: number
  readonly isPulled: boolean
  /** Shards that Citus locks to plan it: while one of them moves, the statement waits. */
  readonly locked: number
  /** Why Citus makes no plan of it. */
  readonly refused?: string
}

type Query = (this: Connection, statements: readonly Sql[]) => ReturnType<Connection['query']>

/** Notes what Florin sends in this process until `stop`, each text once, with tables in place of their shards. */
export function noteStatements(): { readonly noted: Map<string, Sql>; readonly stop: () => void } {
  const noted = new Map<string, Sql>()
  const prototype: { query: Query } = Connection.prototype
  const original = prototype.query
  prototype.query = async function query(statements) {
    for (const statement of statements) {
      const text = statement.text.replaceAll(/\b([a-z_.]+)_\d{6,} as /g, '$1 as ')
      const isWork = /^\s*(select|insert|update|delete|with)\b/i.test(text)
      if (isWork && !noted.has(text)) noted.set(text, { ...statement, text })
    }
    return original.call(this, statements)
  }
  return { noted, stop: () => void (prototype.query = original) }
}

/** Looks are asked of each node by itself, and what tests ask for names no merchant either. */
export function isOfOneMerchant({ text }: Route): boolean {
  return /merchant_id = \$|\bid = \$|values \(\$1/.test(text)
}

export function isOneTask({ tasks, isPulled, locked }: Route): boolean {
  return tasks === 1 && !isPulled && locked <= 1
}

export function shownRoute({ text, tasks, isPulled, locked, refused }: Route): string {
  if (refused !== undefined) return `refused (${refused}): ${text}`
  const way = isPulled ? 'through the coordinator' : `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`
  return `${way}, ${locked} shards locked: ${text.slice(0, 120)}`
}

/** By `explain`: how many tasks on nodes a statement is, and whether its rows come to the coordinator on their way. */
export async function explain(url: string, statements: Iterable<Sql>): Promise<Route[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const routes: Route[] = []
  try {
    for (const { text, values } of statements) {
      // As a whole it goes to shards alone; the coordinator gets it in two parts.
      if (isInsertSelect({ text })) continue
      await client.query('begin')
      const plan = await client
        .query<Record<'QUERY PLAN', string>>(`explain (costs off) ${text}`, [...values])
        .then(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'))
        .catch((error: unknown) => error as Error)
      const locked = plan instanceof Error ? 0 : await countLocked(client)
      await client.query('rollback')
      const route = { ...readPlan(text.replaceAll(/\s+/g, ' ').trim(), plan), locked }
      if (route.tasks > 0 || route.isPulled || route.refused !== undefined) routes.push(route)
    }
    return routes
  } finally {
    await client.end()
  }
}

/** Citus' own class of advisory locks, one for all tables of a shard. */
async function countLocked(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct (classid, objid))::integer as count from pg_locks
     where pid = pg_backend_pid() and locktype = 'advisory' and objsubid = 8`,
  )
  return rows[0]?.count ?? 0
}

function readPlan(text: string, plan: string | Error): Omit<Route, 'locked'> {
  if (plan instanceof Error) return { text, tasks: 0, isPulled: false, refused: plan.message }
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
  return {
    text,
    tasks: counts.reduce((sum, count) => sum + count, 0),
    isPulled: /pull to coordinator|repartition|Distributed Subplan/.test(plan),
  }
}
