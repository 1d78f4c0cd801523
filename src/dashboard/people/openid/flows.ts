import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { People, Visitor } from '../people.ts'
import { hashOf } from '../sessions/sessions.ts'
import { linkTry, originOf, take } from '../waits.ts'
import { insertFlow, takeFlow, type FlowPurpose } from './identity-store.ts'
import type { FlowSecrets, OpenIdProvider } from './provider.ts'

// A sign-in at the provider and back. One random secret in a cookie of this browser gives state, nonce and PKCE
// verifier: an answer brought into another browser has none of them. The table holds the purpose, and is used once.

const flowMs = 10 * 60_000

export type Flow = {
  readonly purpose: FlowPurpose
  /** The person who connects or proves; the invitation that is answered. */
  readonly about: string
  readonly startedAt: Date
  readonly secrets: FlowSecrets
}

export type Departure =
  | { readonly kind: 'go'; readonly url: string; readonly secret: string }
  | { readonly kind: 'wait'; readonly seconds: number }

export function providerOf(people: People): OpenIdProvider {
  if (!people.openId) throw new Refusal('not_found')
  return people.openId
}

/** The provider is asked where its page is before anything is stored. Throws ProviderAway. */
export async function setOut(
  people: People,
  given: { readonly purpose: FlowPurpose; readonly about: string },
  visitor: Visitor,
): Promise<Departure> {
  const provider = providerOf(people)
  const seconds = await take(people.db, linkTry(await originOf(people.db, visitor)), people.now())
  if (seconds !== undefined) return { kind: 'wait', seconds }
  const secret = randomBytes(32).toString('base64url')
  const url = await provider.addressFor(secretsOf(secret), given.purpose === 'prove')
  const startedAt = people.now()
  const endsAt = new Date(startedAt.getTime() + flowMs)
  await insertFlow(people.db, { ...given, hash: hashOf(secret), startedAt, endsAt })
  return { kind: 'go', url, secret }
}

/** Undefined when this browser set out on no such journey, or came back from it before. */
export async function comeBack(
  people: People,
  secret: string | undefined,
  state: string | undefined,
): Promise<Flow | undefined> {
  if (secret === undefined || state === undefined) return undefined
  const secrets = secretsOf(secret)
  // An answer to another journey must not end this one.
  if (!isSame(secrets.state, state)) return undefined
  const row = await takeFlow(people.db, hashOf(secret), people.now())
  return row && { purpose: row.purpose, about: row.about, startedAt: new Date(row.started_at), secrets }
}

function secretsOf(secret: string): FlowSecrets {
  const of = (what: string): string => createHmac('sha256', secret).update(what).digest('base64url')
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') }
}

function isSame(right: string, given: string): boolean {
  const one = Buffer.from(right)
  const other = Buffer.from(given)
  return one.length === other.length && timingSafeEqual(one, other)
}
