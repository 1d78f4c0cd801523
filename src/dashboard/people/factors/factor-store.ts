import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

// The tables passkeys, passkey_challenges and recovery_codes.

export type PasskeyRow = {
  readonly id: string
  readonly person_id: string
  readonly public_key: Buffer
  readonly counter: bigint
  readonly transports: string[]
  readonly name: string
  readonly created_at: string
  readonly used_at: string | null
}

/** False when the authenticator is known already. */
export async function insertPasskey(
  tx: Transaction,
  one: {
    id: string
    personId: string
    publicKey: Buffer
    counter: bigint
    transports: string[]
    name: string
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkeys (id, person_id, public_key, counter, transports, name)
    values (${one.id}, ${one.personId}, ${one.publicKey}, ${one.counter}, ${one.transports}, ${one.name})
    on conflict (id) do nothing
    returning id`)
  return rows.length === 1
}

export async function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | undefined> {
  const rows = await db.query<PasskeyRow>(sql`
    select id, person_id, public_key, counter, transports, name, created_at, used_at from passkeys where id = ${id}`)
  return rows[0]
}

export async function listPasskeys(db: Queryable, personId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>(sql`
    select id, person_id, public_key, counter, transports, name, created_at, used_at
    from passkeys where person_id = ${personId} order by created_at, id`)
}

/** False if the counter went back: the authenticator was copied. */
export async function notePasskeyUse(
  tx: Transaction,
  id: string,
  counter: bigint,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set counter = ${counter}, used_at = ${at.toISOString()}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))
    returning id`)
  return rows.length === 1
}

export async function deletePasskey(
  tx: Transaction,
  personId: string,
  id: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ name: string }>(sql`
    delete from passkeys where person_id = ${personId} and id = ${id} returning name`)
  return rows[0]?.name
}

export async function insertChallenge(
  db: Queryable,
  one: { challenge: string; purpose: string; endsAt: Date },
): Promise<void> {
  await db.query(sql`
    insert into passkey_challenges (challenge, purpose, ends_at)
    values (${one.challenge}, ${one.purpose}, ${one.endsAt.toISOString()})`)
}

/** Once: sending the same answer again finds it gone. */
export async function takeChallenge(
  db: Queryable,
  challenge: string,
  purpose: string,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from passkey_challenges
    where challenge = ${challenge} and purpose = ${purpose} and ends_at > ${now.toISOString()}
    returning challenge`)
  return rows.length === 1
}

export async function deleteOldChallenges(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from passkey_challenges where ends_at < ${now.toISOString()} returning challenge`)
  return rows.length
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`delete from recovery_codes where person_id = ${personId}`)
  if (hashes.length === 0) return
  await tx.query(sql`
    insert into recovery_codes (person_id, hash) select ${personId}, unnest(${hashes}::bytea[])`)
}

/** False if the code isn't this person's or was already used. */
export async function takeRecoveryCode(
  tx: Transaction,
  personId: string,
  hash: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update recovery_codes set used_at = ${at.toISOString()}
    where person_id = ${personId} and hash = ${hash} and used_at is null
    returning person_id`)
  return rows.length === 1
}

export async function countRecoveryCodes(db: Queryable, personId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from recovery_codes where person_id = ${personId} and used_at is null`)
  return rows[0]?.count ?? 0
}

/** All of a person who goes. */
export async function deleteFactorsOf(tx: Transaction, personId: string): Promise<void> {
  await tx.query(sql`delete from passkeys where person_id = ${personId}`)
  await tx.query(sql`delete from recovery_codes where person_id = ${personId}`)
}
