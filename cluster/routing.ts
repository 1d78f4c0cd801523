import pg from 'pg'
import type { Sql } from '../src/database/sql.ts'
import { Connection } from '../src/database/statement.ts'

// Where the statements of Florin go: each is noted while it is used, then explained.

export type Route = { readonly text: string; readonly tasks: number; readonly isPulled: boolean }

type Query = (this: Connection, statements: readonly Sql[]) => ReturnType<Connection['query']>

/** Notes what Florin sends in this process until `stop`, each text once. */
export function noteStatements(): { readonly noted: Map<string, Sql>; readonly stop: () => void } {
  const noted = new Map<string, Sql>()
  const prototype: { query: Query } = Connection.prototype
  const original = prototype.query
  prototype.query = async function query(statements) {
    for (const statement of statements) {
      const isWork = /^\s*(select|insert|update|delete|with)\b/i.test(statement.text)
      if (isWork && !noted.has(statement.text)) noted.set(statement.text, statement)
    }
    return original.call(this, statements)
  }
  return { noted, stop: () => void (prototype.query = original) }
}

/** By `explain`: how many tasks on nodes a statement is, and whether its rows come to the coordinator on their way. */
export async function explain(url: string, statements: Iterable<Sql>): Promise<Route[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const routes: Route[] = []
  try {
    for (const { text, values } of statements) {
      await client.query('begin')
      const { rows } = await client
        .query<Record<'QUERY PLAN', string>>(`explain (costs off) ${text}`, [...values])
        .catch((error: unknown) => {
          throw new Error(`Citus takes no such statement: ${text}`, { cause: error })
        })
      await client.query('rollback')
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
      const isPulled = /pull to coordinator|repartition|Distributed Subplan/.test(plan)
      if (tasks > 0 || isPulled) routes.push({ text: text.replaceAll(/\s+/g, ' ').trim(), tasks, isPulled })
    }
    return routes
  } finally {
    await client.end()
  }
}
