import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'

// The table audit_log, which is only added to.

export type ActorKind = 'key' | 'command_line' | 'system' | 'person'

export type NewEntry = {
  readonly merchantId: number
  readonly id: string
  readonly actorKind: ActorKind
  readonly actor: string
  readonly address: string | null
  readonly requestId: string | null
  readonly action: string
  readonly subject: string
  readonly before: string | null
  readonly after: string | null
}

export async function insertEntry(tx: Transaction, entry: NewEntry): Promise<void> {
  await tx.query(sql`
    insert into audit_log (merchant_id, id, actor_kind, actor, address, request_id, action, subject, before, after)
    values (${entry.merchantId}, ${entry.id}, ${entry.actorKind}, ${entry.actor}, ${entry.address}, ${entry.requestId},
            ${entry.action}, ${entry.subject}, ${entry.before}::json, ${entry.after}::json)`)
}

export type EntryRow = {
  readonly merchant_id: number
  readonly id: string
  readonly at: string
  readonly actor_kind: ActorKind
  readonly actor: string
  readonly address: string | null
  readonly request_id: string | null
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export type EntryFilter = {
  readonly since: string | undefined
  readonly until: string | undefined
  /** A prefix of the action is enough: `key.` */
  readonly action: string | undefined
  readonly subject: string | undefined
  /** The last one of the page before. */
  readonly after?: { readonly at: string; readonly id: string } | undefined
  readonly limit: number
}

/** Newest first, by audit_log_newest; of one kind or one thing by audit_log_of_kind and audit_log_of_subject. */
export async function listEntries(
  db: Queryable,
  merchantId: number,
  filter: EntryFilter,
): Promise<EntryRow[]> {
  const { since, until, action, subject, after } = filter
  const rules: Sql[] = [sql`merchant_id = ${merchantId}`]
  if (since !== undefined) rules.push(sql`at >= ${since}::timestamptz`)
  if (until !== undefined) rules.push(sql`at < ${until}::timestamptz`)
  if (action !== undefined) rules.push(sql`starts_with(action, ${action})`)
  if (action?.includes('.')) rules.push(sql`split_part(action, '.', 1) = ${action.split('.')[0] ?? ''}`)
  if (subject !== undefined) rules.push(sql`subject = ${subject}`)
  if (after !== undefined) rules.push(sql`(at, id) < (${after.at}::timestamptz, ${after.id})`)
  const statement = sql`
    select merchant_id, id, at, actor_kind, actor, address, request_id, action, subject, before, after
    from audit_log where ${join(rules, ' and ')}
    order by at desc, id desc limit ${filter.limit}`
  return db.query<EntryRow>(planEachTime(statement))
}

/** The oldest entries from before. The database refuses to delete any younger than thirty days. */
export async function forgetEntries(
  db: Queryable,
  merchantId: number,
  before: Date,
  limit: number,
): Promise<number> {
  // In a transaction: outside of one a cluster doesn't pass the function's permission on to the nodes.
  const [rows = []] = await db.queryAll<{ gone: number }>([
    sql`
    select forget_audit_entries(${merchantId}, ${before.toISOString()}, ${limit}) as gone`,
  ])
  return rows[0]?.gone ?? 0
}
