import { createHash, randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { longestIdleMinutes } from '../../../core/merchants/times/idle.ts'
import {
  deleteSession,
  findSession,
  insertSession,
  listSessions as readSessions,
  setSeen,
  type SessionRow,
  type SessionState,
  type SessionWay,
} from './session-store.ts'

// A session is a random number in a cookie; the table has its hash. Every request reads the row, by its primary key,
// and nothing is cached: ending a session or changing a password or role takes effect on every server with the commit.

/** A shop may choose less (merchants/times/idle.ts). */
export const idleMs = longestIdleMinutes * 60_000
export const longestMs = 30 * 24 * 3_600_000
/** How long the second factor may take. */
export const halfMs = 10 * 60_000
/** How long a password or a passkey counts as shown just now. */
export const freshMs = 10 * 60_000
const seenEveryMs = 60_000
/** Clocks of servers differ: a proof made on one may lie a moment ahead on another. */
const clockSlackMs = 5_000

export type From = { readonly device: string; readonly address: string }

export type Session = {
  readonly id: string
  readonly personId: string
  readonly state: SessionState
  readonly startedAt: Date
  readonly seenAt: Date
  readonly provedAt: Date
  readonly device: string
  readonly address: string
  readonly way: SessionWay
  /** It began with a password that live payments ask more of. */
  readonly wantsPassword: boolean
}

export type FreshSession = { readonly cookie: string; readonly session: Session }

type Beginning = From & {
  readonly personId: string
  readonly state: SessionState
  readonly now: Date
  /** For a renewed session: its start, for the thirty days; its proof, unless there is a new one. */
  readonly startedAt?: Date
  readonly provedAt?: Date
  readonly way?: SessionWay
  readonly wantsPassword?: boolean
}

/** Always with a new id: one that an attacker put into the browser is worthless. */
export async function beginSession(tx: Transaction, given: Beginning): Promise<FreshSession> {
  const cookie = randomBytes(32).toString('base64url')
  const { personId, state, now, device, address } = given
  const session: Session = {
    id: `ses_${randomBase62(16)}`,
    personId,
    state,
    startedAt: given.startedAt ?? now,
    seenAt: now,
    provedAt: given.provedAt ?? now,
    device: device.slice(0, 300),
    address,
    way: given.way ?? null,
    wantsPassword: given.wantsPassword ?? false,
  }
  await insertSession(tx, { ...session, hash: hashOf(cookie), at: now })
  return { cookie, session }
}

export async function readSession(
  db: Queryable,
  cookie: string | undefined,
  now: Date,
): Promise<Session | undefined> {
  if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined
  const hash = hashOf(cookie)
  const row = await findSession(db, hash)
  if (!row) return undefined
  const session = sessionOf(row)
  if (!isOver(session, now)) return session
  await deleteSession(db, hash)
  return undefined
}

export async function recordUse(
  db: Queryable,
  { session, cookie }: FreshSession,
  now: Date,
  address: string,
): Promise<void> {
  if (now.getTime() - session.seenAt.getTime() >= seenEveryMs) await setSeen(db, hashOf(cookie), now, address)
}

export async function endSession(db: Queryable, cookie: string): Promise<void> {
  await deleteSession(db, hashOf(cookie))
}

/** `idleMinutes`: the limit of the person's shops. */
export function isOver(session: Session, now: Date, idleMinutes = longestIdleMinutes): boolean {
  const idle = now.getTime() - session.seenAt.getTime()
  const age = now.getTime() - session.startedAt.getTime()
  return idle >= (session.state === 'half' ? halfMs : idleMinutes * 60_000) || age >= longestMs
}

/** Whether the person showed a password or a passkey a moment ago. */
export function isFresh(session: Session, now: Date): boolean {
  const age = now.getTime() - session.provedAt.getTime()
  return age >= -clockSlackMs && age < freshMs
}

/** The old id ends and a new one starts: after a further sign-in step, a new proof, or a change of permissions. */
export async function rotateSession(
  tx: Transaction,
  old: Session,
  cookie: string,
  change: {
    readonly now: Date
    readonly state?: SessionState
    readonly provedAt?: Date
    readonly wantsPassword?: boolean
  },
): Promise<FreshSession | undefined> {
  if (!(await deleteSession(tx, hashOf(cookie)))) return undefined
  return beginSession(tx, { ...old, ...change })
}

export async function listSessions(
  db: Queryable,
  personId: string,
  now: Date,
  idleMinutes?: number,
): Promise<Session[]> {
  const sessions = (await readSessions(db, personId)).map(sessionOf)
  return sessions.filter((session) => !isOver(session, now, idleMinutes))
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    personId: row.person_id,
    state: row.state,
    startedAt: new Date(row.started_at),
    seenAt: new Date(row.seen_at),
    provedAt: new Date(row.proved_at),
    device: row.device,
    address: row.address,
    way: row.way,
    wantsPassword: row.wants_password,
  }
}
