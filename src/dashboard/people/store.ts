import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

// The table people.

export type PersonRow = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password_hash: string | null
  readonly is_operator: boolean
  readonly totp_sealed: Buffer | null
  readonly totp_step: bigint
}

/** False if the address belongs to someone. */
export async function insertPerson(
  tx: Transaction,
  person: { id: string; email: string; name: string; passwordHash: string | null; isOperator: boolean },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into people (id, email, name, password_hash, is_operator)
    values (${person.id}, ${person.email}, ${person.name}, ${person.passwordHash}, ${person.isOperator})
    on conflict ((lower(email))) do nothing
    returning id`)
  return rows.length === 1
}

export async function isAnybodyHere(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from people limit 1`)).length > 0
}

/** One after the other: of two who sign up first at once, one is the first. */
export async function lockPeople(tx: Transaction): Promise<void> {
  await tx.query(sql`lock table people in share row exclusive mode`)
}

export async function findPerson(db: Queryable, id: string): Promise<PersonRow | undefined> {
  const rows = await db.query<PersonRow>(sql`
    select id, email, name, password_hash, is_operator, totp_sealed, totp_step from people where id = ${id}`)
  return rows[0]
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<PersonRow | undefined> {
  const rows = await db.query<PersonRow>(sql`
    select id, email, name, password_hash, is_operator, totp_sealed, totp_step
    from people where lower(email) = lower(${email})`)
  return rows[0]
}

/** The same, locked: of two changes at once the second sees the first. */
export async function lockPerson(tx: Transaction, id: string): Promise<PersonRow | undefined> {
  const rows = await tx.query<PersonRow>(sql`
    select id, email, name, password_hash, is_operator, totp_sealed, totp_step
    from people where id = ${id} for update`)
  return rows[0]
}

export async function listSomePeople(db: Queryable, limit: number): Promise<PersonRow[]> {
  return db.query<PersonRow>(sql`
    select id, email, name, password_hash, is_operator, totp_sealed, totp_step
    from people order by created_at, id limit ${limit}`)
}

export async function listPeople(db: Queryable, ids: readonly string[]): Promise<PersonRow[]> {
  return db.query<PersonRow>(sql`
    select id, email, name, password_hash, is_operator, totp_sealed, totp_step
    from people where id = any(${ids}::text[])`)
}

/** The one before is kept, to refuse it as a new password, and so are the last three before that. */
export async function setPasswordHash(db: Queryable, id: string, hash: string | null): Promise<void> {
  await db.query(sql`
    update people set
      former_password_hashes = case when password_hash is null then former_password_hashes
        else (array_prepend(password_hash, former_password_hashes))[1:4] end,
      password_hash = ${hash}, updated_at = now()
    where id = ${id}`)
}

/** The current one first. */
export async function listPasswordHashes(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.query<{ hashes: string[] }>(sql`
    select array_remove(array_prepend(password_hash, former_password_hashes), null) as hashes
    from people where id = ${id}`)
  return rows[0]?.hashes ?? []
}

/** Only while the hash is the one that was read: a password that was changed meanwhile stays changed. */
export async function renewPasswordHash(
  db: Queryable,
  id: string,
  old: string,
  renewed: string,
): Promise<void> {
  await db.query(sql`
    update people set password_hash = ${renewed}, updated_at = now() where id = ${id} and password_hash = ${old}`)
}

export async function setName(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.query(sql`update people set name = ${name}, updated_at = now() where id = ${id}`)
}

/** False if the address belongs to someone else. */
export async function setEmail(tx: Transaction, id: string, email: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update people set email = ${email}, updated_at = now()
    where id = ${id}
      and not exists (select from people as other where lower(other.email) = lower(${email}) and other.id <> ${id})
    returning id`)
  return rows.length === 1
}

export async function setTotp(
  tx: Transaction,
  id: string,
  sealed: Buffer | null,
  step: bigint,
): Promise<void> {
  await tx.query(sql`
    update people set totp_sealed = ${sealed}, totp_step = ${step}, updated_at = now() where id = ${id}`)
}

/** False when a code of this step, or of a later one, was taken before: it must not count twice. */
export async function takeTotpStep(tx: Transaction, id: string, step: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    update people set totp_step = ${step} where id = ${id} and totp_step < ${step} returning id`)
  return rows.length === 1
}

/** To reseal them. */
export async function listTotpSecrets(db: Queryable): Promise<{ id: string; totp_sealed: Buffer }[]> {
  return db.query<{ id: string; totp_sealed: Buffer }>(sql`
    select id, totp_sealed from people where totp_sealed is not null order by id`)
}

export async function replaceTotpSecret(
  db: Queryable,
  id: string,
  old: Buffer,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update people set totp_sealed = ${sealed} where id = ${id} and totp_sealed = ${old} returning id`)
  return rows.length === 1
}

/** Each operator locked: of two who go at once the second sees that the first is gone. */
export async function isOnlyOperator(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from people where is_operator order by id for update`)
  return rows.every((one) => one.id === id)
}

export async function deletePerson(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`delete from people where id = ${id}`)
}
