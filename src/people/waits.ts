import { createHash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { networkOf } from '../input/network-of.ts'
import { forgetTries, returnTry, countAttempt, type WaitRule } from './wait-store.ts'

// Growing waits: after some free tries 1 second, then 3, 7, 15 … up to a quarter of an hour. Counted by account and by
// address, in the database, so that they hold over several servers. A browser that the person has signed in from before
// is counted apart from all others: password guessing can't lock out the account owner.

const maxSeconds = 900

/** What is about to be tried. */
export type Try = { readonly rules: readonly WaitRule[] }

export function passwordTry(email: string, address: string, knownDevice: string | undefined): Try {
  const account = `password ${hidden(email.toLowerCase())} ${knownDevice === undefined ? '' : hidden(knownDevice)}`
  return { rules: [{ name: account.trim(), free: 5, maxSeconds }, addressRule(address)] }
}

/** Codes of six digits: with five free tries and the longest wait, half a chance takes more than a century. */
export function codeTry(personId: string, address: string): Try {
  return { rules: [{ name: `code ${personId}`, free: 5, maxSeconds }, addressRule(address)] }
}

export function proofTry(personId: string): Try {
  return { rules: [{ name: `proof ${personId}`, free: 5, maxSeconds }] }
}

/** E-mails that a stranger makes us send. */
export function emailTry(email: string, address: string): Try {
  return {
    rules: [
      { name: `email ${hidden(email.toLowerCase())}`, free: 3, maxSeconds: 3_600 },
      { name: `emails ${networkOf(address)}`, free: 10, maxSeconds: 3_600 },
    ],
  }
}

/** Links and passkeys: too long to guess, and not for free either. */
export function linkTry(address: string): Try {
  return { rules: [addressRule(address)] }
}

function addressRule(address: string): WaitRule {
  return { name: `address ${networkOf(address)}`, free: 30, maxSeconds }
}

/** Undefined when it may be tried, else the seconds to wait. */
export async function take(db: Queryable, { rules }: Try, now: Date): Promise<number | undefined> {
  for (const rule of rules) {
    const seconds = await countAttempt(db, rule, now)
    if (seconds !== null) return seconds
  }
  return undefined
}

/** It was right: the account starts afresh, and the address gets this try back. */
export async function succeed(db: Queryable, { rules }: Try): Promise<void> {
  for (const rule of rules)
    await (rule.name.startsWith('address ') ? returnTry(db, rule) : forgetTries(db, rule.name))
}

/** The table says nothing of who has an account here. */
function hidden(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
