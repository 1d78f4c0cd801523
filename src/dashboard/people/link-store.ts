import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

// The table person_links. A link that was used is gone; one that was replaced stays until its time is over.

export type LinkKind = 'reset' | 'email' | 'sign_in' | 'sign_up'

export type LinkRow = {
  readonly kind: LinkKind
  readonly person_id: string | null
  readonly email: string | null
  readonly ends_at: string
}

export async function insertLink(
  tx: Transaction,
  link: { hash: Buffer; kind: LinkKind; personId: string | null; email: string | null; endsAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into person_links (hash, kind, person_id, email, ends_at)
    values (${link.hash}, ${link.kind}, ${link.personId}, ${link.email}, ${link.endsAt.toISOString()})`)
}

export async function findLink(
  db: Queryable,
  hash: Buffer,
  kind: LinkKind,
  now: Date,
): Promise<LinkRow | undefined> {
  const rows = await db.query<LinkRow>(sql`
    select kind, person_id, email, ends_at from person_links
    where hash = ${hash} and kind = ${kind} and ends_at > ${now.toISOString()} and not replaced`)
  return rows[0]
}

/** Whether a newer link replaced this one, which would still work otherwise. */
export async function wasReplaced(db: Queryable, hash: Buffer, kind: LinkKind, now: Date): Promise<boolean> {
  const rows = await db.query(sql`
    select from person_links
    where hash = ${hash} and kind = ${kind} and ends_at > ${now.toISOString()} and replaced`)
  return rows.length === 1
}

/** Of two simultaneous uses one succeeds. */
export async function takeLink(
  tx: Transaction,
  hash: Buffer,
  kind: LinkKind,
  now: Date,
): Promise<LinkRow | undefined> {
  const rows = await tx.query<LinkRow>(sql`
    delete from person_links
    where hash = ${hash} and kind = ${kind} and ends_at > ${now.toISOString()} and not replaced
    returning kind, person_id, email, ends_at`)
  return rows[0]
}

export async function replaceLinksOf(tx: Transaction, personId: string, kind: LinkKind): Promise<void> {
  await tx.query(
    sql`update person_links set replaced = true where person_id = ${personId} and kind = ${kind}`,
  )
}

export async function deleteLinksOf(
  tx: Transaction,
  personId: string,
  kinds: readonly LinkKind[],
): Promise<void> {
  await tx.query(sql`
    delete from person_links where person_id = ${personId} and kind = any(${kinds}::text[])`)
}

export async function deleteOldLinks(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    sql`delete from person_links where ends_at < ${now.toISOString()} returning kind`,
  )
  return rows.length
}
