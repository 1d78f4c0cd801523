import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

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
  /** Of an action, its beginning will do: key. */
  readonly action: string | undefined
  readonly subject: string | undefined
  readonly limit: number
}

/** Newest first. */
export async function listEntries(
  db: Queryable,
  merchantId: number,
  filter: EntryFilter,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(sql`
    select merchant_id, id, at, actor_kind, actor, address, request_id, action, subject, before, after
    from audit_log
    where merchant_id = ${merchantId}
      and (${filter.since ?? null}::timestamptz is null or at >= ${filter.since ?? null}::timestamptz)
      and (${filter.until ?? null}::timestamptz is null or at < ${filter.until ?? null}::timestamptz)
      and (${filter.action ?? null}::text is null or starts_with(action, ${filter.action ?? null}))
      and (${filter.subject ?? null}::text is null or subject = ${filter.subject ?? null})
    order by at desc, id desc limit ${filter.limit}`)
}

/** The oldest of those from before. The database itself refuses any that is younger than thirty days. */
export async function forgetEntries(
  db: Queryable,
  merchantId: number,
  before: Date,
  limit: number,
): Promise<number> {
  // In a transaction: outside of one a cluster does not tell a node what the function allows.
  const [rows = []] = await db.queryAll<{ gone: number }>([
    sql`
    select forget_audit_entries(${merchantId}, ${before.toISOString()}, ${limit}) as gone`,
  ])
  return rows[0]?.gone ?? 0
}
