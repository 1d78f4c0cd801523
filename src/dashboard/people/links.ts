import { randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import {
  findLink,
  insertLink,
  replaceLinksOf,
  takeLink,
  wasReplaced,
  type LinkKind,
  type LinkRow,
} from './link-store.ts'
import { hashOf } from './sessions/sessions.ts'

// Links that work once and not for long. Opening one changes nothing, as programs that look through mail open links too;
// the button on its page does.

export const linkMinutes: Readonly<Record<LinkKind, number>> = {
  reset: 30,
  email: 60,
  sign_in: 15,
  sign_up: 60,
}

type NewLink = {
  readonly kind: LinkKind
  readonly personId?: string
  readonly email?: string
  readonly now: Date
  /** Older links of the same kind keep working. */
  readonly keepsOlder?: boolean | undefined
}

/** The secret part of the address. Replaces the person's older links of the same kind. */
export async function makeLink(tx: Transaction, given: NewLink): Promise<string> {
  const { kind, personId, email, now } = given
  const secret = randomBytes(24).toString('base64url')
  if (personId !== undefined && given.keepsOlder !== true) await replaceLinksOf(tx, personId, kind)
  const endsAt = new Date(now.getTime() + linkMinutes[kind] * 60_000)
  await insertLink(tx, {
    hash: hashOf(secret),
    kind,
    personId: personId ?? null,
    email: email ?? null,
    endsAt,
  })
  return secret
}

export async function lookAtLink(
  db: Queryable,
  kind: LinkKind,
  secret: string,
  now: Date,
): Promise<LinkRow | undefined> {
  return findLink(db, hashOf(secret), kind, now)
}

export async function isLinkReplaced(
  db: Queryable,
  kind: LinkKind,
  secret: string,
  now: Date,
): Promise<boolean> {
  return wasReplaced(db, hashOf(secret), kind, now)
}

export async function useLink(
  tx: Transaction,
  kind: LinkKind,
  secret: string,
  now: Date,
): Promise<LinkRow | undefined> {
  return takeLink(tx, hashOf(secret), kind, now)
}
