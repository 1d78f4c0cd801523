import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/input/network-of.ts'
import type { Visitor } from './people.ts'
import { isDeviceKnown } from './sessions/session-store.ts'
import { hashOf } from './sessions/sessions.ts'
import { forgetTries, returnTry, countAttempt, type WaitRule } from './wait-store.ts'

// Growing waits: after some free tries 1 second, then 3, 7, 15 … up to a quarter of an hour. Counted by account and by
// address, in the database, so that they hold over several servers. A browser that the person has signed in from before
// is counted apart from all others: password guessing can't lock out the account owner, nor the neighbours.

const maxSeconds = 900

/** What is about to be tried. */
export type Try = { readonly rules: readonly WaitRule[] }

/**
 * Besides the account, a try counts against a browser that some person has signed in from, else against its address. So
 * guesses from an office's address don't keep colleagues out.
 */
export type Origin = { readonly name: string }

export async function originOf(
  db: Queryable,
  { address, knownBy }: Pick<Visitor, 'address' | 'knownBy'>,
): Promise<Origin> {
  const isKnown = await isDeviceKnown(db, hashOf(knownBy ?? ''))
  return {
    name: isKnown && knownBy !== undefined ? `device ${hidden(knownBy)}` : `address ${networkOf(address)}`,
  }
}

/** The origin comes first: where it has to wait, nothing is counted against the account. */
export function passwordTry(email: string, origin: Origin, ownDevice: string | undefined): Try {
  const account = { name: `password ${hidden(email.toLowerCase())}`, free: 5, maxSeconds }
  if (ownDevice === undefined) return { rules: [originRule(origin), account] }
  return { rules: [{ ...account, name: `${account.name} ${hidden(ownDevice)}` }] }
}

/** Codes of six digits: with five free tries and the longest wait, half a chance takes more than a century. */
export function codeTry(personId: string, origin: Origin): Try {
  return { rules: [originRule(origin), { name: `code ${personId}`, free: 5, maxSeconds }] }
}

export function proofTry(personId: string): Try {
  return { rules: [{ name: `proof ${personId}`, free: 5, maxSeconds }] }
}

/** E-mails that a stranger makes us send. */
export function emailTry(email: string, { name }: Origin): Try {
  return {
    rules: [
      { name: `emails ${name}`, free: 10, maxSeconds: 3_600 },
      { name: `email ${hidden(email.toLowerCase())}`, free: 3, maxSeconds: 3_600 },
    ],
  }
}

/** Passkeys and the company's provider: too long to guess, and not for free either. */
export function linkTry(origin: Origin): Try {
  return { rules: [originRule(origin)] }
}

function originRule({ name }: Origin): WaitRule {
  return { name, free: 30, maxSeconds }
}

/** Undefined when it may be tried, else the seconds to wait. */
export async function take(db: Queryable, { rules }: Try, now: Date): Promise<number | undefined> {
  for (const [index, rule] of rules.entries()) {
    const seconds = await countAttempt(db, rule, now)
    if (seconds === null) continue
    await giveBack(db, { rules: rules.slice(0, index) })
    return seconds
  }
  return undefined
}

/** It was right: the account starts afresh, and the origin gets this try back. */
export async function succeed(db: Queryable, { rules }: Try): Promise<void> {
  for (const rule of rules)
    await (/^(address|device) /.test(rule.name) ? returnTry(db, rule) : forgetTries(db, rule.name))
}

/** Nothing was tried after all. */
export async function giveBack(db: Queryable, { rules }: Try): Promise<void> {
  for (const rule of rules) await returnTry(db, rule)
}

/** The table says nothing of who has an account here. */
function hidden(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
