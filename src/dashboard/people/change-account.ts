import { inTransaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { confirmAddressEmail, addressChangedEmail } from './emails.ts'
import { linkMinutes, lookAtLink, makeLink, useLink } from './links.ts'
import { byPerson, recordOwnAct, type People, type Person, type Visitor } from './people.ts'
import { deleteLinksOf } from './link-store.ts'
import { deleteSessionById, deleteSessionsOf } from './sessions/session-store.ts'
import { listSessions as readSessions, type Session } from './sessions/sessions.ts'
import { findPersonByEmail, lockPerson, setEmail, setName } from './store.ts'
import { emailTry, originOf, take } from './waits.ts'

// Name, address and sessions of the person who asks.

export async function rename(people: People, person: Person, name: string, visitor: Visitor): Promise<void> {
  if (name === person.name) return
  await inTransaction(people.db, async (tx) => {
    await setName(tx, person.id, name)
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.renamed',
      subject: person.id,
      before: { name: person.name },
      after: { name },
    })
  })
}

/**
 * Nothing changes until the link in the e-mail to the new address is used. Someone else's address gets no e-mail, and
 * the answer doesn't say so.
 */
export async function askForEmail(
  people: People,
  person: Person,
  email: string,
  visitor: Visitor,
): Promise<{ readonly seconds: number } | undefined> {
  const seconds = await take(people.db, emailTry(email, await originOf(people.db, visitor)), people.now())
  if (seconds !== undefined) return { seconds }
  people.afterwards(async () => {
    const other = await findPersonByEmail(people.db, email)
    if (other && other.id !== person.id) return
    await inTransaction(people.db, async (tx) => {
      const secret = await makeLink(tx, { kind: 'email', personId: person.id, email, now: people.now() })
      const url = `${people.baseUrl}/dashboard/email/${secret}`
      await people.sendEmail(tx, confirmAddressEmail({ email, name: person.name }, url, linkMinutes.email))
    })
  })
  return undefined
}

export async function whichEmail(people: People, secret: string): Promise<string | undefined> {
  return (await lookAtLink(people.db, 'email', secret, people.now()))?.email ?? undefined
}

/** The new address, or undefined when the link is over or the address was taken meanwhile. */
export async function confirmEmail(
  people: People,
  secret: string,
  visitor: Visitor,
): Promise<string | undefined> {
  return inTransaction(people.db, async (tx) => {
    const link = await useLink(tx, 'email', secret, people.now())
    const person = link?.person_id ? await lockPerson(tx, link.person_id) : undefined
    const email = link?.email
    if (!person || !email || !(await setEmail(tx, person.id, email))) return undefined
    // Links that went to the old address must not work any more.
    await deleteLinksOf(tx, person.id, ['reset', 'sign_in'])
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.email_changed',
      subject: person.id,
      before: { email: person.email },
      after: { email },
    })
    await people.sendEmail(tx, addressChangedEmail(person, email, people.now()))
    return email
  })
}

export async function listOwnSessions(
  people: People,
  person: Person,
  idleMinutes: number,
): Promise<Session[]> {
  return readSessions(people.db, person.id, people.now(), idleMinutes)
}

export async function endOneSession(
  people: People,
  person: Person,
  id: string,
  visitor: Visitor,
): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    if (!(await deleteSessionById(tx, person.id, id)))
      throw new Refusal('not_found', 'This session has ended')
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.sessions_ended',
      subject: person.id,
      after: { sessions_ended: 1 },
    })
  })
}

/** All but the one that asks. */
export async function endOtherSessions(
  people: People,
  person: Person,
  own: Session,
  visitor: Visitor,
): Promise<number> {
  return inTransaction(people.db, async (tx) => {
    const ended = await deleteSessionsOf(tx, person.id, own.id)
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), {
      action: 'person.sessions_ended',
      subject: person.id,
      after: { sessions_ended: ended },
    })
    return ended
  })
}

export async function signOut(people: People, person: Person, own: Session, visitor: Visitor): Promise<void> {
  await inTransaction(people.db, async (tx) => {
    await deleteSessionById(tx, person.id, own.id)
    const act = { action: 'person.signed_out', subject: person.id } as const
    await recordOwnAct(tx, person.id, byPerson(person.id, visitor), act)
  })
}
