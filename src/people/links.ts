import { randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../database/database.ts'
import { deleteLinksOf, findLink, insertLink, takeLink, type LinkKind, type LinkRow } from './link-store.ts'
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
}

/** The secret part of the address. Older links of the same kind end. */
export async function makeLink(tx: Transaction, { kind, personId, email, now }: NewLink): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  if (personId !== undefined) await deleteLinksOf(tx, personId, [kind])
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

export async function useLink(
  tx: Transaction,
  kind: LinkKind,
  secret: string,
  now: Date,
): Promise<LinkRow | undefined> {
  return takeLink(tx, hashOf(secret), kind, now)
}
