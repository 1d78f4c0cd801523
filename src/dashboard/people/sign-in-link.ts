import { inTransaction, type Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Actor } from '../../core/audit/audit.ts'
import { lookAtLink, makeLink, useLink } from './links.ts'
import { personOf, recordOwnAct, type People, type Person, type Visitor } from './people.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'
import { findPerson, findPersonByEmail, lockPerson } from './store.ts'

// A link that signs a person in once, whatever factors they have: for the first start, and for people who lost all of
// them. It is created on the machine with the database, by someone who could change anything there anyway.

/** The path of the link. */
export async function makeSignInLink(
  db: Database,
  whose: { readonly email: string } | { readonly personId: string },
  by: Actor,
  { now = new Date(), keepsOlder }: { readonly now?: Date; readonly keepsOlder?: boolean } = {},
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const person =
      'email' in whose ? await findPersonByEmail(tx, whose.email) : await findPerson(tx, whose.personId)
    if (!person) throw new Refusal('not_found', 'No account uses this address')
    const secret = await makeLink(tx, { kind: 'sign_in', personId: person.id, now, keepsOlder })
    await recordOwnAct(tx, person.id, by, { action: 'person.sign_in_link_made', subject: person.id })
    return `/dashboard/link/${secret}`
  })
}

export async function whoseSignInLink(people: People, secret: string): Promise<Person | undefined> {
  const link = await lookAtLink(people.db, 'sign_in', secret, people.now())
  const person = link?.person_id ? await findPerson(people.db, link.person_id) : undefined
  return person && personOf(person)
}

export async function signInByLink(
  people: People,
  secret: string,
  visitor: Visitor,
): Promise<SignedIn | undefined> {
  return inTransaction(people.db, async (tx) => {
    const link = await useLink(tx, 'sign_in', secret, people.now())
    const person = link?.person_id ? await lockPerson(tx, link.person_id) : undefined
    return person && completeSignIn(people, tx, person, visitor, 'link')
  })
}
