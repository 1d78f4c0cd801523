import { inTransaction } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { listPasskeys } from '../factors/factor-store.ts'
import { factorEmail } from '../emails.ts'
import { byPerson, recordOwnAct, type People, type Person, type Visitor } from '../people.ts'
import { beginSession, hashOf, type FreshSession } from '../sessions/sessions.ts'
import { completeSignIn, type SignedIn } from '../sign-in.ts'
import { addPerson } from '../sign-up.ts'
import { lockPerson } from '../store.ts'
import { join } from '../team/join-team.ts'
import { takeInvitation } from '../team/team-store.ts'
import { linkTry, originOf, succeed } from '../waits.ts'
import { providerOf, type Flow } from './flows.ts'
import {
  deleteIdentity,
  findIdentity,
  findIdentityOf,
  insertIdentity,
  noteIdentityUse,
} from './identity-store.ts'
import type { Claims } from './provider.ts'

// People from the provider are identified by issuer and subject, which were connected once: by the person, signed in
// here and freshly proved, or by answering an invitation. Never by an address alone: at many providers it can be
// chosen.

/** Epoch: never recently authenticated. */
const neverProved = new Date(0)
/** Clocks of two machines differ. */
const clockMs = 60_000

export type OpenIdSignIn =
  | SignedIn
  | { readonly kind: 'second_factor'; readonly fresh: FreshSession }
  | { readonly kind: 'unknown' }

/** The provider replaces the password: a person with authenticator codes is asked for one. */
export async function signInWithOpenId(
  people: People,
  claims: Claims,
  visitor: Visitor,
): Promise<OpenIdSignIn> {
  const tried = linkTry(await originOf(people.db, visitor))
  const result = await inTransaction(people.db, async (tx): Promise<OpenIdSignIn> => {
    const known = await findIdentity(tx, claims.issuer, claims.subject)
    const person = known && (await lockPerson(tx, known.person_id))
    if (!person) return { kind: 'unknown' }
    const now = people.now()
    await noteIdentityUse(tx, claims.issuer, claims.subject, now)
    const provedAt = provedAtOf(claims, now)
    if (person.totp_sealed === null)
      return completeSignIn(people, tx, person, visitor, 'openid', { provedAt })
    const half = { personId: person.id, state: 'half', way: 'openid', now, provedAt, ...visitor } as const
    return { kind: 'second_factor', fresh: await beginSession(tx, half) }
  })
  if (result.kind !== 'unknown') await succeed(people.db, tried)
  return result
}

/** A provider that lets people in without asking them anything has proved nothing just now. */
function provedAtOf({ authenticatedAt }: Claims, now: Date): Date {
  if (!authenticatedAt) return neverProved
  return authenticatedAt > now ? now : authenticatedAt
}

/** Whether the person who is signed in has signed in at the provider since it was asked for. */
export async function isProvedByOpenId(
  people: People,
  personId: string,
  flow: Flow,
  claims: Claims,
): Promise<boolean> {
  const known = await findIdentity(people.db, claims.issuer, claims.subject)
  const since = flow.startedAt.getTime() - clockMs
  return known?.person_id === personId && (claims.authenticatedAt?.getTime() ?? 0) >= since
}

export async function linkOpenId(
  people: People,
  personId: string,
  claims: Claims,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const person = await lockPerson(tx, personId)
    if (!person) throw new Refusal('not_found')
    const { issuer, subject } = claims
    const email = claims.email ?? null
    if (!(await insertIdentity(tx, { issuer, subject, personId, email, at: people.now() })))
      throw brokenRule('form', 'This account is already connected, to you or to someone else.')
    await recordOwnAct(tx, personId, byPerson(personId, visitor), {
      action: 'person.openid_linked',
      subject: personId,
      after: { issuer, email },
    })
    const sentence = `Your account at ${providerOf(people).name} was connected`
    await people.sendEmail(tx, factorEmail(person, sentence, people.now(), visitor))
  })
}

export async function unlinkOpenId(people: People, person: Person, visitor: Visitor): Promise<void> {
  const { issuer, name } = providerOf(people)
  await inTransaction(people.db, async (tx) => {
    const locked = await lockPerson(tx, person.id)
    if (locked?.password_hash === null && (await listPasskeys(tx, person.id)).length === 0)
      throw brokenRule('form', 'This is your only way to sign in. Set a password or add a passkey first.')
    if (!(await deleteIdentity(tx, person.id, issuer))) throw new Refusal('not_found')
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.openid_unlinked',
      subject: person.id,
      before: { issuer },
    })
    const sentence = `Your account at ${name} was disconnected`
    await people.sendEmail(tx, factorEmail(person, sentence, people.now(), visitor))
  })
}

export type LinkedIdentity = { readonly email: string | null; readonly usedAt: string | null }

/** For the currently configured provider. */
export async function linkedIdentity(people: People, personId: string): Promise<LinkedIdentity | undefined> {
  if (!people.openId) return undefined
  const row = await findIdentityOf(people.db, personId, people.openId.issuer)
  return row && { email: row.email, usedAt: row.used_at }
}

/** For `about` of a journey: which invitation, without its secret. */
export function nameInvitation(merchantId: number, secret: string): string {
  return `${merchantId} ${hashOf(secret).toString('base64url')}`
}

export type OpenIdJoin = { readonly merchantId: number; readonly result: SignedIn }

/** The link of the e-mail shows that the address is theirs; the provider has to say so as well. Undefined when the link is over. */
export async function joinWithOpenId(
  people: People,
  about: string,
  claims: Claims,
  visitor: Visitor,
): Promise<OpenIdJoin | undefined> {
  const [number = '', hash = ''] = about.split(' ')
  const merchantId = Number(number)
  const { issuer, subject, verifiedEmail } = claims
  return inTransaction(people.db, async (tx) => {
    const invitation = await takeInvitation(tx, merchantId, Buffer.from(hash, 'base64url'), people.now())
    if (!invitation) return undefined
    if (verifiedEmail?.toLowerCase() !== invitation.email.toLowerCase())
      throw brokenRule('form', otherAddress)
    const name =
      claims.name
        ?.replaceAll(/\p{Cc}/gu, '')
        .trim()
        .slice(0, 100) || invitation.email.slice(0, 100)
    const row = await addPerson(tx, { email: invitation.email, name, hash: null, isOperator: false })
    const at = people.now()
    if (!row || !(await insertIdentity(tx, { issuer, subject, personId: row.id, email: verifiedEmail, at })))
      throw brokenRule('form', alreadyHere)
    await join(tx, merchantId, row.id, invitation, visitor)
    const by = byPerson(row.id, visitor)
    const after = { issuer, email: verifiedEmail }
    await recordOwnAct(tx, row.id, by, { action: 'person.openid_linked', subject: row.id, after })
    const result = await completeSignIn(people, tx, row, visitor, 'openid', {
      provedAt: provedAtOf(claims, at),
    })
    return { merchantId, result }
  })
}

const otherAddress =
  'The invitation is for another address, or your company account has no verified address. Join with a password instead.'
const alreadyHere = 'You already have an account. Sign in, then open the link in the e-mail again.'
