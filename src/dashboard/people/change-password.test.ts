import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, secretIn, visitorFrom, type PeopleRoom } from '../../../test/support/people.ts'
import { goodPassword, newPerson, type PersonAt } from '../../../test/support/visitor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { bySystem } from '../../core/audit/audit.ts'
import { askForEmail, confirmEmail, whichEmail } from './change-account.ts'
import {
  askForReset,
  changePassword,
  removePassword,
  resetPassword,
  findPersonByResetToken,
} from './change-password.ts'
import { insertPasskey } from './factors/factor-store.ts'
import type { Person } from './people.ts'
import { readSession } from './sessions/sessions.ts'
import { makeSignInLink, signInByLink, whoseSignInLink } from './sign-in-link.ts'
import { signIn, type SignedIn } from './sign-in.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const newPassword = 'violet harbour teapot'
let addresses = 0
const fresh = () => visitorFrom(`198.51.100.${(addresses += 1)}`)

async function enter({ email }: PersonAt, password = goodPassword): Promise<SignedIn> {
  const result = await signIn(room.people, { email, password }, fresh())
  assert.ok(result.kind === 'in')
  return result
}

const signedIn = ({ person, fresh: { session, cookie } }: SignedIn) => ({ person, session, cookie })

const isIn = async ({ fresh: { cookie } }: SignedIn): Promise<boolean> =>
  (await readSession(room.db, cookie, room.clock.now())) !== undefined

type Links = { readonly reset: string; readonly signIn: string; readonly email: string }

/** One of each kind that is mailed or made for a person. */
async function linksOf(person: Person): Promise<Links> {
  await askForReset(room.people, person.email, fresh())
  await room.people.settled()
  const reset = secretIn(room.emails, person.email)
  await askForEmail(room.people, person, `new.${person.email}`, fresh())
  await room.people.settled()
  const email = secretIn(room.emails, `new.${person.email}`)
  const path = await makeSignInLink(room.db, { personId: person.id }, bySystem, { now: room.clock.now() })
  return { reset, email, signIn: path.split('/').at(-1) ?? '' }
}

/** Which of them lead anywhere. */
async function working(links: Links): Promise<string[]> {
  const found = {
    reset: await findPersonByResetToken(room.people, links.reset),
    signIn: await whoseSignInLink(room.people, links.signIn),
    email: await whichEmail(room.people, links.email),
  }
  return Object.entries(found).flatMap(([kind, one]) => (one === undefined ? [] : [kind]))
}

test('no earlier link works after a new password, however it was set', async () => {
  for (const way of ['changed', 'reset', 'removed'] as const) {
    const person = await newPerson(room)
    const own = await enter(person)
    const links = await linksOf(own.person)
    assert.deepEqual(await working(links), ['reset', 'signIn', 'email'], way)
    const { session } = own.fresh
    if (way === 'changed') await changePassword(room.people, signedIn(own), newPassword, fresh())
    if (way === 'reset')
      assert.equal(await resetPassword(room.people, links.reset, newPassword, fresh()), true)
    if (way === 'removed') {
      await addPasskey(person.id)
      await removePassword(room.people, own.person, session, fresh())
    }
    assert.deepEqual(await working(links), [], way)
    assert.equal(await signInByLink(room.people, links.signIn, fresh()), undefined, way)
    assert.equal(await confirmEmail(room.people, links.email, fresh()), undefined, way)
    assert.equal(await resetPassword(room.people, links.reset, 'amber ladder violin', fresh()), false, way)
  }
})

test('other people’s links survive a new password', async () => {
  const [person, other] = [await newPerson(room), await newPerson(room)]
  const links = await linksOf((await enter(other)).person)
  await changePassword(room.people, signedIn(await enter(person)), newPassword, fresh())
  assert.deepEqual(await working(links), ['reset', 'signIn', 'email'])
})

async function addPasskey(personId: string): Promise<void> {
  const publicKey = Buffer.from('key')
  const one = { id: `key of ${personId}`, personId, publicKey, counter: 0n, transports: [], name: 'Phone' }
  assert.equal(await inTransaction(room.db, async (tx) => insertPasskey(tx, one)), true)
}

test('a new password ends every other session; a reset ends all', async () => {
  const person = await newPerson(room)
  const [own, other] = [await enter(person), await enter(person)]
  const next = await changePassword(room.people, signedIn(own), newPassword, fresh())
  assert.deepEqual([await isIn(own), await isIn(other)], [false, false])
  assert.equal(await isIn({ ...own, fresh: next }), true)
  await askForReset(room.people, person.email, fresh())
  await room.people.settled()
  assert.equal(
    await resetPassword(room.people, secretIn(room.emails, person.email), 'amber ladder violin', fresh()),
    true,
  )
  assert.equal(await isIn({ ...own, fresh: next }), false)
})

test('a password can be removed only with a passkey left, and the own session continues', async () => {
  const person = await newPerson(room)
  const [own, other] = [await enter(person), await enter(person)]
  await assert.rejects(removePassword(room.people, own.person, own.fresh.session, fresh()), {
    message: /Add a passkey first/,
  })
  assert.equal(await isIn(other), true, 'nothing has changed')
  await addPasskey(person.id)
  await removePassword(room.people, own.person, own.fresh.session, fresh())
  assert.deepEqual([await isIn(own), await isIn(other)], [true, false])
  assert.equal(
    (await signIn(room.people, { email: person.email, password: goodPassword }, fresh())).kind,
    'refused',
  )
})

test('links sent to an old address expire with it', async () => {
  const person = await newPerson(room)
  const links = await linksOf((await enter(person)).person)
  assert.equal(await confirmEmail(room.people, links.email, fresh()), `new.${person.email}`)
  assert.deepEqual(await working(links), [])
})

test('a reset link used twice at once sets one password', async () => {
  const person = await newPerson(room)
  await askForReset(room.people, person.email, fresh())
  await room.people.settled()
  const secret = secretIn(room.emails, person.email)
  const passwords = [newPassword, 'amber ladder violin']
  const done = await Promise.all(
    passwords.map(async (password) => resetPassword(room.people, secret, password, fresh())),
  )
  assert.equal(done.filter(Boolean).length, 1)
  assert.equal((await enter(person, passwords[done.indexOf(true)])).kind, 'in')
})

test('an address taken by someone else in the meantime stays theirs, in any case', async () => {
  const person = await newPerson(room)
  const { email } = await linksOf((await enter(person)).person)
  await newPerson(room, { email: `NEW.${person.email}` })
  assert.equal(await confirmEmail(room.people, email, fresh()), undefined)
  assert.equal((await enter(person)).person.email, person.email)
})

test('none of the last four passwords is taken again, however it is set; the fifth is', async () => {
  const person = await newPerson(room)
  const passwords = [1, 2, 3, 4].map((n) => `violet harbour ${n} teapots`)
  let own = await enter(person)
  const change = async (password: string): Promise<void> => {
    own = { ...own, fresh: await changePassword(room.people, signedIn(own), password, fresh()) }
  }
  const isUsed = { message: /one of your last 4 passwords/ }
  for (const password of passwords.slice(0, 3)) await change(password)
  for (const password of [goodPassword, ...passwords.slice(0, 3)])
    await assert.rejects(change(password), isUsed, password)
  const { reset } = await linksOf(own.person)
  await assert.rejects(resetPassword(room.people, reset, goodPassword, fresh()), isUsed)
  await addPasskey(person.id)
  await removePassword(room.people, own.person, own.fresh.session, fresh())
  await assert.rejects(change(passwords[2] ?? ''), isUsed, 'nor after having none')
  await change(passwords[3] ?? '')
  await change(goodPassword)
  const rows = await room.db.query<{ count: number }>(sql`
    select cardinality(former_password_hashes) as count from people where id = ${person.id}`)
  assert.deepEqual(rows, [{ count: 4 }])
})
