import { countRecoveryCodes, listPasskeys as readPasskeys } from './factors/factor-store.ts'
import { linkedIdentity } from './openid/identities.ts'
import { personOf, type People, type Person } from './people.ts'
import type { Database } from '../../platform/database/database.ts'
import { findPerson, listPeople, listSomePeople } from './store.ts'
import { findMerchantsOf } from './team/memberships-look-store.ts'

// What pages show about people.

/** A person with the numbers of the merchants that let this person in. */
export async function findOwn(
  { db }: People,
  personId: string,
): Promise<{ readonly person: Person; readonly merchants: readonly number[] } | undefined> {
  const row = await findPerson(db, personId)
  return row && { person: personOf(row), merchants: await findMerchantsOf(db, personId) }
}

/** The only person, if there is just one. */
export async function onlyPerson(db: Database): Promise<Person | 'nobody' | 'several'> {
  const [first, second] = await listSomePeople(db, 2)
  if (!first) return 'nobody'
  return second ? 'several' : personOf(first)
}

/** Whether a person has no password, passkey or OpenID account: they can only have come by a sign-in link. */
export async function hasNoFactor(people: People, person: Person): Promise<boolean> {
  if (person.hasPassword || (await readPasskeys(people.db, person.id)).length > 0) return false
  return (await linkedIdentity(people, person.id)) === undefined
}

/** Names by id, for lists that hold ids. */
export async function namesOf({ db }: People, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await listPeople(db, [...new Set(ids)])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type PasskeySummary = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}

export async function listPasskeys({ db }: People, personId: string): Promise<PasskeySummary[]> {
  const rows = await readPasskeys(db, personId)
  return rows.map(({ id, name, created_at, used_at }) => ({
    id,
    name,
    createdAt: created_at,
    usedAt: used_at,
  }))
}

export async function recoveryCodesLeft({ db }: People, personId: string): Promise<number> {
  return countRecoveryCodes(db, personId)
}
