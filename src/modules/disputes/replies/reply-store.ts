import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { DisputeKey } from '../store.ts'

// The table dispute_replies: what merchants answered, without the evidence.

export type ReplyRow = {
  readonly dispute_id: string
  readonly id: string
  readonly kind: 'evidence' | 'acceptance'
  readonly state: 'requested' | 'sent' | 'refused' | 'not_sent'
  /** The names of the fields that were sent. */
  readonly parts: readonly string[]
  /** The id of a person. */
  readonly actor: string
  readonly failure: string | null
  readonly requested_at: string
  readonly ended_at: string | null
}

const columns: Sql = sql`dispute_id, id, kind, state, parts, actor, failure, requested_at, ended_at`

export async function insertReply(
  tx: Transaction,
  { merchantId, id: disputeId }: DisputeKey,
  reply: Pick<ReplyRow, 'id' | 'kind' | 'parts' | 'actor'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into dispute_replies (merchant_id, dispute_id, id, kind, state, parts, actor, requested_at)
    values (${merchantId}, ${disputeId}, ${reply.id}, ${reply.kind}, 'requested', ${reply.parts}, ${reply.actor}, ${now})`)
}

/**
 * What became of it. A network that takes its time may have the reply after all, though it did not when it was asked.
 */
export async function endReply(
  db: Database,
  { merchantId, id }: { readonly merchantId: number; readonly id: string },
  end: { readonly state: 'sent' | 'refused' | 'not_sent'; readonly failure?: string; readonly at: Date },
): Promise<void> {
  await db.query(sql`
    update dispute_replies set state = ${end.state}, failure = ${end.failure ?? null}, ended_at = ${end.at}
    where merchant_id = ${merchantId} and id = ${id} and state in ('requested', 'not_sent')`)
}

/** Newest first. */
export async function listReplies(db: Queryable, { merchantId, id }: DisputeKey): Promise<ReplyRow[]> {
  return db.query<ReplyRow>(sql`
    select ${columns} from dispute_replies where merchant_id = ${merchantId} and dispute_id = ${id}
    order by requested_at desc, id desc`)
}

/** Of several disputes, newest first. */
export async function listRepliesOf(
  db: Queryable,
  merchantId: number,
  disputeIds: readonly string[],
): Promise<ReplyRow[]> {
  return db.query<ReplyRow>(sql`
    select ${columns} from dispute_replies
    where merchant_id = ${merchantId} and dispute_id = any(${disputeIds}::text[])
    order by requested_at desc, id desc`)
}
