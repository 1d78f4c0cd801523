import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { newDeviceEmail } from './emails.ts'
import { shortAddress } from '../../platform/input/network-of.ts'
import { hashPassword, isOutdated, isPassword, turns } from './passwords/hash-password.ts'
import type { Proof, Task } from './passwords/proof-of-work.ts'
import { ruleMistake, ruleOf } from './passwords/rules.ts'
import { TooManyAtOnce, type Asker } from './passwords/turns.ts'
import { byPerson, personOf, recordOwnAct, type People, type Person, type Visitor } from './people.ts'
import { findDevices, rememberDevice } from './sessions/session-store.ts'
import { beginSession, hashOf, type FreshSession, type Session } from './sessions/sessions.ts'
import { findPerson, findPersonByEmail, renewPasswordHash, type PersonRow } from './store.ts'
import { giveBack, originOf, passwordTry, proofTry, succeed, take } from './waits.ts'
import { randomBytes } from 'node:crypto'

// Sign in with address and password. Whatever is wrong, the answer is the same and takes as long: the same statements
// run, and a password is hashed even for an unknown address.

export type SignedIn = {
  readonly kind: 'in'
  readonly person: Person
  readonly fresh: FreshSession
  /** By which this browser will be known again. */
  readonly knownBy: string
}

export type SignInResult =
  | SignedIn
  | { readonly kind: 'second_factor'; readonly fresh: FreshSession }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** Too many sign in at once; nothing was tried. */
  | { readonly kind: 'busy' }

const passwordMax = 1_000

export async function signIn(
  people: People,
  given: { readonly email: string; readonly password: string; readonly proof?: Proof },
  visitor: Visitor,
): Promise<SignInResult> {
  const { db } = people
  const email = given.email.trim().slice(0, 254)
  const found = await findPersonByEmail(db, email)
  const { isKnown } = await findDevices(db, found?.id ?? '', hashOf(visitor.knownBy ?? ''))
  const tried = passwordTry(email, await originOf(db, visitor), isKnown ? visitor.knownBy : undefined)
  const seconds = await take(db, tried, people.now())
  if (seconds !== undefined) return { kind: 'wait', seconds }
  const asker = isKnown ? knownAsker(found?.id) : await strangerAsker(people, visitor, given.proof)
  const password = given.password.slice(0, passwordMax)
  let isRight: boolean
  try {
    isRight = await isPassword(password, found?.password_hash, asker, people.derive)
  } catch (error) {
    if (!(error instanceof TooManyAtOnce)) throw error
    await giveBack(db, tried)
    return { kind: 'busy' }
  }
  if (!found || !isRight) return { kind: 'refused' }
  await succeed(db, tried)
  await upgrade(people, found, given.password)
  if (found.totp_sealed === null)
    return inTransaction(db, async (tx) =>
      completeSignIn(people, tx, found, visitor, 'password', {
        wantsPassword: await isTooWeak(tx, personOf(found), given.password),
      }),
    )
  const now = people.now()
  const fresh = await inTransaction(db, async (tx) =>
    beginSession(tx, { personId: found.id, state: 'half', now, ...visitor }),
  )
  return { kind: 'second_factor', fresh }
}

function knownAsker(personId = ''): Asker {
  return { queue: 'known', share: personId }
}

/** Checks a proof only while the queue is long. */
async function strangerAsker(
  { proofs }: People,
  { address }: Visitor,
  proof: Proof | undefined,
): Promise<Asker> {
  const isProven = proof !== undefined && turns.isBusy() && (await proofs.isGood(address, proof))
  return { queue: isProven ? 'proven' : 'open', share: shortAddress(address) }
}

/** The proof of work that a sign-in needs to skip the queue; undefined while the queue is short. */
export async function proofTask({ proofs }: People, { address }: Visitor): Promise<Task | undefined> {
  return turns.isBusy() ? proofs.give(address) : undefined
}

/** The password is available only now: a hash with old parameters is renewed. */
async function upgrade({ db }: People, person: PersonRow, password: string): Promise<void> {
  const old = person.password_hash
  if (old !== null && isOutdated(old))
    await renewPasswordHash(db, person.id, old, await hashPassword(password))
}

export type SignInWay =
  | 'password'
  | 'password_and_code'
  | 'openid'
  | 'openid_and_code'
  | 'recovery_code'
  | 'passkey'
  | 'link'
  | 'sign_up'

/** Old passwords are not refused: the session opens nothing until there is a new one. */
async function isTooWeak(tx: Transaction, person: Person, password: string): Promise<boolean> {
  return ruleMistake(password, 'live') !== undefined && (await ruleOf(tx, person)) === 'live'
}

/** True until the person has a new password, a passkey or codes from an app. */
export async function needsNewPassword({ db }: People, session: Session, person: Person): Promise<boolean> {
  return session.wantsPassword && (await ruleOf(db, person)) === 'live'
}

/** A whole session, an entry in the log, and an e-mail when the browser is a new one. */
export async function completeSignIn(
  people: People,
  tx: Transaction,
  row: PersonRow,
  visitor: Visitor,
  way: SignInWay,
  more: { readonly provedAt?: Date; readonly wantsPassword?: boolean } = {},
): Promise<SignedIn> {
  const now = people.now()
  const knownBy = visitor.knownBy ?? randomBytes(32).toString('base64url')
  const { isKnown, hasOthers } = await findDevices(tx, row.id, hashOf(knownBy))
  await rememberDevice(tx, row.id, hashOf(knownBy), now)
  const fresh = await beginSession(tx, {
    personId: row.id,
    state: 'whole',
    now,
    way: way.startsWith('openid') ? 'openid' : null,
    ...visitor,
    ...more,
  })
  await recordOwnAct(tx, row.id, byPerson(row.id, visitor), {
    action: 'person.signed_in',
    subject: row.id,
    after: { way, new_device: !isKnown },
  })
  if (!isKnown && hasOthers) await people.sendEmail(tx, newDeviceEmail(row, now, visitor))
  return { kind: 'in', person: personOf(row), fresh, knownBy }
}

/** A signed-in person shows their password again. */
export async function provePassword(
  { db, now }: People,
  personId: string,
  password: string,
): Promise<'proved' | 'refused' | { readonly seconds: number }> {
  const tried = proofTry(personId)
  const seconds = await take(db, tried, now())
  if (seconds !== undefined) return { seconds }
  const person = await findPerson(db, personId)
  if (!(await isPassword(password.slice(0, passwordMax), person?.password_hash))) return 'refused'
  await succeed(db, tried)
  return 'proved'
}
