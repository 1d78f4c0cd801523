import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../platform/errors/refusals.ts'
import { listPasskeys } from './factors/factor-store.ts'
import { deleteLinksOf } from './link-store.ts'
import { linkMinutes, lookAtLink, makeLink, useLink } from './links.ts'
import { passwordChangedEmail, resetEmail } from './emails.ts'
import { hashPassword, isPassword } from './passwords/hash-password.ts'
import { passwordsRemembered, ruleOf } from './passwords/rules.ts'
import { byPerson, personOf, recordOwnAct, type People, type Person, type Visitor } from './people.ts'
import { readNewPassword } from './read-person.ts'
import { deleteSessionsOf } from './sessions/session-store.ts'
import { rotateSession, type FreshSession, type Session } from './sessions/sessions.ts'
import { findPerson, findPersonByEmail, listPasswordHashes, lockPerson, setPasswordHash } from './store.ts'
import { emailTry, originOf, take } from './waits.ts'

// Whoever has a new password is the only one who is signed in: every other session ends with the change, and so does every
// link that was mailed before.

/** For a person who is signed in and has just proved it. Their own session continues, under a new id. */
export async function changePassword(
  people: People,
  own: { readonly person: Person; readonly session: Session; readonly cookie: string },
  typed: string | undefined,
  visitor: Visitor,
): Promise<FreshSession> {
  const { personId } = own.session
  const hash = await hashNewPassword(people, own.person, typed)
  return inTransaction(people.db, async (tx) => {
    await replacePassword(people, tx, personId, hash, visitor, own.session.id)
    const fresh = await rotateSession(tx, own.session, own.cookie, {
      now: people.now(),
      wantsPassword: false,
    })
    if (!fresh) throw new Refusal('not_found', 'Your session has ended')
    return fresh
  })
}

/** From now on passkeys are the only way in. */
export async function removePassword(
  people: People,
  person: Person,
  own: Session,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    await lockPerson(tx, person.id)
    if ((await listPasskeys(tx, person.id)).length === 0)
      throw brokenRule('password', "Add a passkey first: without a password you couldn't sign in")
    await replacePassword(people, tx, person.id, null, visitor, own.id)
  })
}

/** Sends an e-mail if the address belongs to someone. The answer doesn't wait for it, and never says which. */
export async function askForReset(
  people: People,
  email: string,
  visitor: Visitor,
): Promise<{ readonly seconds: number } | undefined> {
  const seconds = await take(people.db, emailTry(email, await originOf(people.db, visitor)), people.now())
  if (seconds !== undefined) return { seconds }
  people.afterwards(async () => {
    const person = await findPersonByEmail(people.db, email)
    if (!person) return
    await inTransaction(people.db, async (tx) => {
      const secret = await makeLink(tx, { kind: 'reset', personId: person.id, now: people.now() })
      const url = `${people.baseUrl}/dashboard/reset/${secret}`
      await people.sendEmail(tx, resetEmail(person, url, linkMinutes.reset, visitor))
    })
  })
  return undefined
}

export async function findPersonByResetToken(people: People, secret: string): Promise<Person | undefined> {
  const link = await lookAtLink(people.db, 'reset', secret, people.now())
  const person = link?.person_id ? await findPerson(people.db, link.person_id) : undefined
  return person && personOf(person)
}

/** A password that is refused leaves the link as it was. */
export async function resetPassword(
  people: People,
  secret: string,
  typed: string | undefined,
  visitor: Visitor,
): Promise<boolean> {
  const person = await findPersonByResetToken(people, secret)
  if (!person) return false
  const hash = await hashNewPassword(people, person, typed)
  return inTransaction(people.db, async (tx) => {
    const link = await useLink(tx, 'reset', secret, people.now())
    if (!link?.person_id) return false
    await replacePassword(people, tx, link.person_id, hash, visitor)
    return true
  })
}

async function hashNewPassword({ db }: People, person: Person, typed: string | undefined): Promise<string> {
  const password = readNewPassword(typed, [person.email, person.name], await ruleOf(db, person))
  const used = (await listPasswordHashes(db, person.id)).slice(0, passwordsRemembered)
  for (const hash of used)
    if (await isPassword(password, hash))
      throw brokenRule(
        'password',
        `This is one of your last ${passwordsRemembered} passwords. Choose another.`,
      )
  return hashPassword(password)
}

async function replacePassword(
  people: People,
  tx: Transaction,
  personId: string,
  hash: string | null,
  visitor: Visitor,
  goesOn?: string,
): Promise<void> {
  const person = await lockPerson(tx, personId)
  if (!person) throw new Refusal('not_found')
  await setPasswordHash(tx, personId, hash)
  await deleteLinksOf(tx, personId, ['reset', 'sign_in', 'email'])
  const ended = await deleteSessionsOf(tx, personId, goesOn)
  await recordOwnAct(tx, personId, byPerson(personId, visitor), {
    action: 'person.password_changed',
    subject: personId,
    after: { has_password: hash !== null, sessions_ended: ended },
  })
  await people.sendEmail(tx, passwordChangedEmail(person, people.now(), visitor))
}
