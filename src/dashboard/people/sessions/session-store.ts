import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

// The tables sessions and known_devices.

export type SessionState = 'half' | 'whole'
/** By what a session began. Null: by a password, or before this was written down. */
export type SessionWay = 'openid' | null

export type SessionRow = {
  readonly id: string
  readonly person_id: string
  readonly state: SessionState
  readonly started_at: string
  readonly seen_at: string
  readonly proved_at: string
  readonly device: string
  readonly address: string
  readonly way: SessionWay
  readonly wants_password: boolean
}

export type NewSession = {
  readonly hash: Buffer
  readonly id: string
  readonly personId: string
  readonly state: SessionState
  readonly startedAt: Date
  readonly at: Date
  readonly provedAt: Date
  readonly device: string
  readonly address: string
  readonly way: SessionWay
  readonly wantsPassword: boolean
}

export async function insertSession(tx: Transaction, one: NewSession): Promise<void> {
  await tx.query(sql`
    insert into sessions (hash, id, person_id, state, started_at, seen_at, proved_at, device, address, way, wants_password)
    values (${one.hash}, ${one.id}, ${one.personId}, ${one.state}, ${one.startedAt.toISOString()},
            ${one.at.toISOString()}, ${one.provedAt.toISOString()}, ${one.device}, ${one.address}, ${one.way},
            ${one.wantsPassword})`)
}

export async function findSession(db: Queryable, hash: Buffer): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(sql`
    select id, person_id, state, started_at, seen_at, proved_at, device, address, way, wants_password
    from sessions where hash = ${hash}`)
  return rows[0]
}

export async function listSessions(db: Queryable, personId: string): Promise<SessionRow[]> {
  return db.query<SessionRow>(sql`
    select id, person_id, state, started_at, seen_at, proved_at, device, address, way, wants_password
    from sessions where person_id = ${personId} and state = 'whole' order by seen_at desc, id`)
}

export async function setSeen(db: Queryable, hash: Buffer, at: Date, address: string): Promise<void> {
  await db.query(sql`
    update sessions set seen_at = ${at.toISOString()}, address = ${address} where hash = ${hash}`)
}

export async function deleteSession(db: Queryable, hash: Buffer): Promise<boolean> {
  return (await db.query(sql`delete from sessions where hash = ${hash} returning id`)).length === 1
}

/** How many ended. `except`: the id of the one that goes on. */
export async function deleteSessionsOf(tx: Transaction, personId: string, except = ''): Promise<number> {
  const rows = await tx.query(sql`
    delete from sessions where person_id = ${personId} and id <> ${except} returning id`)
  return rows.length
}

export async function deleteSessionById(tx: Transaction, personId: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from sessions where person_id = ${personId} and id = ${id} returning id`)
  return rows.length === 1
}

export async function deleteOldSessions(
  db: Queryable,
  seenBefore: Date,
  startedBefore: Date,
): Promise<number> {
  const rows = await db.query(sql`
    delete from sessions
    where seen_at < ${seenBefore.toISOString()} or started_at < ${startedBefore.toISOString()} returning id`)
  return rows.length
}

/** How the device is known to the person: by itself, or at least by others, or as the first. */
export async function findDevices(
  db: Queryable,
  personId: string,
  hash: Buffer,
): Promise<{ isKnown: boolean; hasOthers: boolean }> {
  const rows = await db.query<{ is_known: boolean; has_others: boolean }>(sql`
    select exists (select from known_devices where person_id = ${personId} and hash = ${hash}) as is_known,
           exists (select from known_devices where person_id = ${personId}) as has_others`)
  return { isKnown: rows[0]?.is_known ?? false, hasOthers: rows[0]?.has_others ?? false }
}

/** True if any person has signed in from this browser. */
export async function isDeviceKnown(db: Queryable, hash: Buffer): Promise<boolean> {
  return (await db.query(sql`select from known_devices where hash = ${hash} limit 1`)).length > 0
}

export async function rememberDevice(
  tx: Transaction,
  personId: string,
  hash: Buffer,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into known_devices (person_id, hash, seen_at) values (${personId}, ${hash}, ${at.toISOString()})
    on conflict (person_id, hash) do update set seen_at = excluded.seen_at`)
}

export async function deleteOldDevices(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from known_devices where seen_at < ${before.toISOString()} returning person_id`)
  return rows.length
}

export async function deleteDevicesOf(tx: Transaction, personId: string): Promise<void> {
  await tx.query(sql`delete from known_devices where person_id = ${personId}`)
}
