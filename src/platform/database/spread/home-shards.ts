import { sql, statementName, type Sql } from '../sql.ts'
import { mayWriteTo } from './hold-writes.ts'
import { placements, type Placement } from './placement.ts'

// A merchant's statements about its own shards, as its node calls them. PostgreSQL then runs them as it does without a
// cluster: planned once, with no work for Citus. What Citus does for writes is done here: it takes the same lock, so that
// a shard waits for writes before it moves, and looks that the shard is still there.

/** The shards of one range of merchants, one of each table. */
export type HomeShards = {
  /** The number of the shard of `merchants`; those of other tables are on the same node, and move with it. */
  readonly shard: string
  /** As host:port. */
  readonly node: string
  /** The name of the shard of each table. */
  readonly names: ReadonlyMap<string, string>
  readonly texts: Map<string, Sql>
}

const movedAway = 'the shard has moved'

/** Fails if the shard isn't here. A statement of its own, after the lock: it sees what was committed while that was waited for. */
const isHere = (shard: string): Sql => sql`
  select coalesce((
    select '1' from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = ${shard}::bigint
  ), ${movedAway})::integer as here`

/** Before statements about the shards, in one write with them. */
export function openShards({ shard }: HomeShards, mayWrite: boolean): Sql[] {
  return mayWrite ? [mayWriteTo(shard), isHere(shard)] : [isHere(shard)]
}

export function hasMoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(movedAway)
}

/** The statement about this merchant's shards; as it is, and so for Citus, if it is not clearly about them alone. */
export function toShards(home: HomeShards, merchantId: number, statement: Sql): Sql {
  if (!isAbout(merchantId, statement)) return statement
  const { text, name, values } = statement
  const known = name === undefined ? undefined : home.texts.get(text)
  const renamed = known ?? rename(home, statement)
  if (name !== undefined) home.texts.set(text, renamed)
  return { ...renamed, values }
}

/** Every merchant that it names is this one: a row of another would be written to the wrong shard, and nobody would find it. */
function isAbout(merchantId: number, { merchantsAt = [], values }: Sql): boolean {
  return merchantsAt.length > 0 && merchantsAt.every((at) => values[at] === merchantId)
}

const relation = /(?<!distinct )\b(from|join|into|update|using) ([a-z_.]+)(?: as (\w+))?/g

function rename({ names }: HomeShards, statement: Sql): Sql {
  let isComplete = true
  const text = statement.text.replaceAll(relation, (whole, word: string, table: string, alias?: string) => {
    if ((placements as Record<string, Placement | undefined>)[table] !== 'spread') return whole
    const name = names.get(table)
    isComplete &&= name !== undefined
    return `${word} ${name} as ${alias ?? table.split('.').at(-1)}`
  })
  return isComplete ? { ...statement, text, name: statement.name && statementName(text) } : statement
}
