import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Role } from '../rights.ts'

// The tables memberships and invitations, one merchant at a time; of a person: memberships-look-store.ts.

export type MembershipRow = {
  readonly person_id: string
  readonly role: Role
  readonly created_at: string
  readonly monthly_summary: boolean
}

export async function findRole(
  db: Queryable,
  merchantId: number,
  personId: string,
): Promise<Role | undefined> {
  const rows = await db.query<{ role: Role }>(sql`
    select role from memberships where merchant_id = ${merchantId} and person_id = ${personId}`)
  return rows[0]?.role
}

export async function listMembers(db: Queryable, merchantId: number): Promise<MembershipRow[]> {
  return db.query<MembershipRow>(sql`
    select person_id, role, created_at, monthly_summary from memberships where merchant_id = ${merchantId}
    order by created_at, person_id`)
}

/** The same, each locked until the commit: two owners who leave at once must not both find the other. */
export async function lockMembers(tx: Transaction, merchantId: number): Promise<MembershipRow[]> {
  return tx.query<MembershipRow>(sql`
    select person_id, role, created_at, monthly_summary from memberships where merchant_id = ${merchantId}
    order by person_id for update`)
}

/** False when the person belongs to the merchant already. */
export async function insertMember(
  tx: Transaction,
  merchantId: number,
  personId: string,
  role: Role,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into memberships (merchant_id, person_id, role) values (${merchantId}, ${personId}, ${role})
    on conflict (merchant_id, person_id) do nothing
    returning person_id`)
  return rows.length === 1
}

export async function setRole(
  tx: Transaction,
  merchantId: number,
  personId: string,
  role: Role,
): Promise<void> {
  await tx.query(sql`
    update memberships set role = ${role} where merchant_id = ${merchantId} and person_id = ${personId}`)
}

export async function setMonthlySummary(
  tx: Transaction,
  merchantId: number,
  personId: string,
  isOn: boolean,
): Promise<void> {
  await tx.query(sql`
    update memberships set monthly_summary = ${isOn} where merchant_id = ${merchantId} and person_id = ${personId}`)
}

export async function deleteMember(tx: Transaction, merchantId: number, personId: string): Promise<void> {
  await tx.query(sql`
    delete from memberships where merchant_id = ${merchantId} and person_id = ${personId}`)
}

export type InvitationRow = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invited_by: string
  readonly created_at: string
  readonly ends_at: string
}

export async function findInvitationHash(
  tx: Transaction,
  merchantId: number,
  id: string,
): Promise<Buffer | undefined> {
  const rows = await tx.query<{ hash: Buffer }>(
    sql`select hash from invitations where merchant_id = ${merchantId} and id = ${id}`,
  )
  return rows[0]?.hash
}

/** Whoever is invited again gets a new link, and the old one ends. */
export async function upsertInvitation(
  tx: Transaction,
  merchantId: number,
  one: { id: string; email: string; role: Role; hash: Buffer; by: string; endsAt: Date },
): Promise<void> {
  await tx.query(sql`
    delete from invitations where merchant_id = ${merchantId} and lower(email) = lower(${one.email})`)
  await tx.query(sql`
    insert into invitations (merchant_id, id, email, role, hash, invited_by, ends_at)
    values (${merchantId}, ${one.id}, ${one.email}, ${one.role}, ${one.hash}, ${one.by}, ${one.endsAt.toISOString()})`)
}

export async function listInvitations(
  db: Queryable,
  merchantId: number,
  now: Date,
): Promise<InvitationRow[]> {
  return db.query<InvitationRow>(sql`
    select id, email, role, invited_by, created_at, ends_at from invitations
    where merchant_id = ${merchantId} and ends_at > ${now.toISOString()} order by created_at, id`)
}

export async function findInvitation(
  db: Queryable,
  merchantId: number,
  hash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  const rows = await db.query<InvitationRow>(sql`
    select id, email, role, invited_by, created_at, ends_at from invitations
    where merchant_id = ${merchantId} and hash = ${hash} and ends_at > ${now.toISOString()}`)
  return rows[0]
}

export async function takeInvitation(
  tx: Transaction,
  merchantId: number,
  hash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  const rows = await tx.query<InvitationRow>(sql`
    delete from invitations
    where merchant_id = ${merchantId} and hash = ${hash} and ends_at > ${now.toISOString()}
    returning id, email, role, invited_by, created_at, ends_at`)
  return rows[0]
}

export async function deleteInvitation(
  tx: Transaction,
  merchantId: number,
  id: string,
): Promise<InvitationRow | undefined> {
  const rows = await tx.query<InvitationRow>(sql`
    delete from invitations where merchant_id = ${merchantId} and id = ${id}
    returning id, email, role, invited_by, created_at, ends_at`)
  return rows[0]
}
