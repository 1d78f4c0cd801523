import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

// The tables person_identities and openid_flows.

export type IdentityRow = {
  readonly issuer: string
  readonly subject: string
  readonly person_id: string
  readonly email: string | null
  readonly created_at: string
  readonly used_at: string | null
}

export async function findIdentity(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  const rows = await db.query<IdentityRow>(sql`
    select issuer, subject, person_id, email, created_at, used_at from person_identities
    where issuer = ${issuer} and subject = ${subject}`)
  return rows[0]
}

export async function findIdentityOf(
  db: Queryable,
  personId: string,
  issuer: string,
): Promise<IdentityRow | undefined> {
  const rows = await db.query<IdentityRow>(sql`
    select issuer, subject, person_id, email, created_at, used_at from person_identities
    where person_id = ${personId} and issuer = ${issuer}`)
  return rows[0]
}

/** False if it already belongs to someone, or this person has another one there. */
export async function insertIdentity(
  tx: Transaction,
  one: { issuer: string; subject: string; personId: string; email: string | null; at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into person_identities (issuer, subject, person_id, email, created_at)
    values (${one.issuer}, ${one.subject}, ${one.personId}, ${one.email}, ${one.at.toISOString()})
    on conflict do nothing
    returning subject`)
  return rows.length === 1
}

export async function noteIdentityUse(
  tx: Transaction,
  issuer: string,
  subject: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update person_identities set used_at = ${at.toISOString()} where issuer = ${issuer} and subject = ${subject}`)
}

export async function deleteIdentity(tx: Transaction, personId: string, issuer: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from person_identities where person_id = ${personId} and issuer = ${issuer} returning subject`)
  return rows.length === 1
}

export type FlowPurpose = 'sign_in' | 'prove' | 'link' | 'join'

export type FlowRow = { readonly purpose: FlowPurpose; readonly about: string; readonly started_at: string }

export async function insertFlow(
  db: Queryable,
  one: { hash: Buffer; purpose: FlowPurpose; about: string; startedAt: Date; endsAt: Date },
): Promise<void> {
  await db.query(sql`
    insert into openid_flows (hash, purpose, about, started_at, ends_at)
    values (${one.hash}, ${one.purpose}, ${one.about}, ${one.startedAt.toISOString()}, ${one.endsAt.toISOString()})`)
}

/** Once: who comes back a second time finds it gone. */
export async function takeFlow(db: Queryable, hash: Buffer, now: Date): Promise<FlowRow | undefined> {
  const rows = await db.query<FlowRow>(sql`
    delete from openid_flows where hash = ${hash} and ends_at > ${now.toISOString()}
    returning purpose, about, started_at`)
  return rows[0]
}

export async function deleteOldFlows(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    sql`delete from openid_flows where ends_at < ${now.toISOString()} returning purpose`,
  )
  return rows.length
}

export async function deleteIdentitiesOf(tx: Transaction, personId: string): Promise<void> {
  await tx.query(sql`delete from person_identities where person_id = ${personId}`)
}
