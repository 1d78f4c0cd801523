import type * as WebAuthn from '@simplewebauthn/server'
import { inTransaction } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import { factorEmail } from '../emails.ts'
import { byPerson, recordOwnAct, type People, type Person, type Visitor } from '../people.ts'
import { completeSignIn, type SignedIn } from '../sign-in.ts'
import { findPerson, lockPerson, type PersonRow } from '../store.ts'
import { linkTry, originOf, succeed, take } from '../waits.ts'
import {
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  takeChallenge,
  type PasskeyRow,
} from './factor-store.ts'

// Passkeys: a key in the person's device signs what we drew, for this site alone, after a finger or a PIN. That is two
// factors in one, so nothing else is asked for. What was drawn is signed once, and for what it was drawn for.

/** Our identity to an authenticator. */
export type Site = { readonly host: string; readonly origin: string }

/** EdDSA, ES256, RS256: what authenticators have. Left out, the package would ask Node for what is experimental there. */
const algorithms = [-8, -7, -257]
const challengeMs = 5 * 60_000
const answerLengthMax = 20_000

/** With the first passkey and not with every start: it takes longer to load than half of Florin. */
const load = async (): Promise<typeof WebAuthn> => import('@simplewebauthn/server')

export async function registrationOptions(people: People, site: Site, person: Person) {
  const known = await listPasskeys(people.db, person.id)
  const options = await (
    await load()
  ).generateRegistrationOptions({
    rpName: 'Florin',
    rpID: site.host,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await remember(people, options.challenge, `register ${person.id}`)
  return options
}

/** `purpose`: signing in, or a signed-in person's proof. */
export async function authenticationOptions(people: People, site: Site, personId?: string) {
  const known = personId === undefined ? [] : await listPasskeys(people.db, personId)
  const options = await (
    await load()
  ).generateAuthenticationOptions({
    rpID: site.host,
    userVerification: 'required',
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
  })
  await remember(people, options.challenge, personId === undefined ? 'sign in' : `prove ${personId}`)
  return options
}

async function remember({ db, now }: People, challenge: string, purpose: string): Promise<void> {
  const endsAt = new Date(now().getTime() + challengeMs)
  await insertChallenge(db, { challenge, purpose, endsAt })
}

export async function addPasskey(
  people: People,
  site: Site,
  person: Person,
  given: { readonly answer: string; readonly name: string },
  visitor: Visitor,
): Promise<void> {
  const verified = await (
    await load()
  )
    .verifyRegistrationResponse({
      response: readAnswer(given.answer) as Parameters<
        typeof WebAuthn.verifyRegistrationResponse
      >[0]['response'],
      expectedChallenge: async (challenge) =>
        takeChallenge(people.db, challenge, `register ${person.id}`, people.now()),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    .catch(() => undefined)
  if (!verified?.verified) throw brokenRule('passkey', 'This passkey could not be added. Try again.')
  const { credential } = verified.registrationInfo
  await inTransaction(people.db, async (tx) => {
    const isNew = await insertPasskey(tx, {
      id: credential.id,
      personId: person.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: BigInt(credential.counter),
      transports: credential.transports ?? [],
      name: given.name,
    })
    if (!isNew) throw brokenRule('passkey', 'This passkey is already on your account')
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.passkey_added',
      subject: person.id,
      after: { name: given.name },
    })
    await people.sendEmail(tx, factorEmail(person, 'A passkey was added', people.now(), visitor))
  })
}

export async function removePasskey(
  people: People,
  person: Person,
  id: string,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    const locked = await lockPerson(tx, person.id)
    const others = (await listPasskeys(tx, person.id)).filter((one) => one.id !== id)
    if (locked?.password_hash === null && others.length === 0)
      throw brokenRule('passkey', 'This is your only way to sign in. Set a password first.')
    const name = await deletePasskey(tx, person.id, id)
    if (name === undefined) throw new Refusal('not_found', 'Passkey not found')
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.passkey_removed',
      subject: person.id,
      before: { name },
    })
    await people.sendEmail(tx, factorEmail(person, 'A passkey was removed', people.now(), visitor))
  })
}

export type PasskeySignIn =
  | SignedIn
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly seconds: number }

export async function signInWithPasskey(
  people: People,
  site: Site,
  answer: string,
  visitor: Visitor,
): Promise<PasskeySignIn> {
  const tried = linkTry(await originOf(people.db, visitor))
  const seconds = await take(people.db, tried, people.now())
  if (seconds !== undefined) return { kind: 'wait', seconds }
  const found = await verifyAnswer(people, site, answer, 'sign in')
  if (!found) return { kind: 'refused' }
  await succeed(people.db, tried)
  return inTransaction(people.db, async (tx): Promise<PasskeySignIn> => {
    if (!(await notePasskeyUse(tx, found.passkey.id, found.counter, people.now()))) return { kind: 'refused' }
    return completeSignIn(people, tx, found.person, visitor, 'passkey')
  })
}

/** A signed-in person shows their passkey again. */
export async function provePasskey(
  people: People,
  site: Site,
  personId: string,
  answer: string,
): Promise<boolean> {
  const found = await verifyAnswer(people, site, answer, `prove ${personId}`)
  if (!found || found.person.id !== personId) return false
  return inTransaction(people.db, async (tx) =>
    notePasskeyUse(tx, found.passkey.id, found.counter, people.now()),
  )
}

type VerifiedPasskey = { readonly passkey: PasskeyRow; readonly person: PersonRow; readonly counter: bigint }

async function verifyAnswer(
  people: People,
  site: Site,
  answer: string,
  purpose: string,
): Promise<VerifiedPasskey | undefined> {
  const response = readAnswer(answer) as Parameters<
    typeof WebAuthn.verifyAuthenticationResponse
  >[0]['response']
  const passkey = typeof response.id === 'string' ? await findPasskey(people.db, response.id) : undefined
  const person = passkey && (await findPerson(people.db, passkey.person_id))
  if (!passkey || !person) return undefined
  const verified = await (
    await load()
  )
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: async (challenge) => takeChallenge(people.db, challenge, purpose, people.now()),
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
        transports: passkey.transports,
      },
    })
    .catch(() => undefined)
  if (!verified?.verified) return undefined
  return { passkey, person, counter: BigInt(verified.authenticationInfo.newCounter) }
}

function readAnswer(text: string): { readonly id?: unknown } {
  if (text.length > answerLengthMax) return {}
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
