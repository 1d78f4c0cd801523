import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAuthenticator, type Authenticator } from '../../../../test/support/authenticator.ts'
import { minutes } from '../../../../test/support/clock.ts'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson, type PersonAt } from '../../../../test/support/visitor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { findPerson, setPasswordHash } from '../store.ts'
import { personOf, type Person } from '../people.ts'
import { insertPasskey } from './factor-store.ts'
import { authenticationOptions, provePasskey, removePasskey, signInWithPasskey } from './passkeys.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const site = { host: 'pay.example.com', origin: 'https://pay.example.com' }
const visitor = visitorFrom('192.0.2.1')

type Holder = { readonly person: PersonAt; readonly key: Authenticator }

async function holder(counter = 0n): Promise<Holder> {
  const person = await newPerson(room)
  const key = makeAuthenticator(`authenticator of ${person.id}`, site)
  await addKey(person, key, counter)
  return { person, key }
}

async function addKey(person: PersonAt, { id, publicKey }: Authenticator, counter = 0n): Promise<void> {
  const one = { id, personId: person.id, publicKey, counter, transports: [], name: 'Phone' }
  await inTransaction(room.db, async (tx) => insertPasskey(tx, one))
}

const draw = async (personId?: string): Promise<string> =>
  (await authenticationOptions(room.people, site, personId)).challenge
const enter = async (answer: string): Promise<string> =>
  (await signInWithPasskey(room.people, site, answer, visitor)).kind

test('a challenge can be signed once, for exactly five minutes', async () => {
  const { key } = await holder()
  const [used, late] = [await draw(), await draw()]
  room.clock.jump(5 * minutes - 1)
  const answer = key.answer(used)
  assert.equal(await enter(answer), 'in')
  assert.equal(await enter(answer), 'refused', 'the same answer again')
  room.clock.jump(1)
  assert.equal(await enter(key.answer(late)), 'refused')
})

test('a signed challenge counts only for its purpose: sign-in, or one person’s proof', async () => {
  const { person, key } = await holder()
  const other = await holder()
  const prove = async (id: string, answer: string) => provePasskey(room.people, site, id, answer)
  assert.equal(await enter(key.answer(await draw(person.id))), 'refused')
  assert.equal(await prove(person.id, key.answer(await draw())), false)
  assert.equal(await prove(person.id, other.key.answer(await draw(person.id))), false)
  assert.equal(await prove(person.id, key.answer(await draw(other.person.id))), false)
  assert.equal(await prove(person.id, key.answer(await draw(person.id))), true)
})

for (const [what, change] of [
  ['for another site', { origin: 'https://evil.example' }],
  ['for another host', { host: 'evil.example' }],
  ['without a finger or a PIN', { isVerified: false }],
] as const) {
  test(`an answer ${what} is refused`, async () => {
    const { key } = await holder()
    assert.equal(await enter(key.answer(await draw(), change)), 'refused')
    assert.equal(await enter(key.answer(await draw())), 'in')
  })
}

test('an unknown challenge, a foreign passkey or a malformed answer is refused', async () => {
  const { key } = await holder()
  const stranger = makeAuthenticator('stranger', site)
  assert.equal(await enter(key.answer('AAAA')), 'refused')
  assert.equal(await enter(stranger.answer(await draw())), 'refused')
  for (const odd of ['', 'null', '[]', '{"id":1}', '{', ' '.repeat(20_001)])
    assert.equal(await enter(odd), 'refused', odd.slice(0, 10))
})

test('a counter that doesn’t grow means a copied authenticator; one that never counts is fine', async () => {
  const { key } = await holder(5n)
  const at = async (counter: number): Promise<string> => enter(key.answer(await draw(), { counter }))
  assert.equal(await at(6), 'in')
  for (const old of [6, 5, 0]) assert.equal(await at(old), 'refused', String(old))
  assert.equal(await at(7), 'in')
  const { key: still } = await holder()
  for (let n = 0; n < 3; n += 1) assert.equal(await enter(still.answer(await draw())), 'in')
})

async function read(person: PersonAt): Promise<Person> {
  const row = await findPerson(room.db, person.id)
  return row ? personOf(row) : assert.fail()
}

test('the last passkey of a person without a password can’t be removed', async () => {
  const { person, key } = await holder()
  const second = makeAuthenticator(`second of ${person.id}`, site)
  await addKey(person, second)
  await setPasswordHash(room.db, person.id, null)
  await removePasskey(room.people, await read(person), second.id, visitor)
  await assert.rejects(removePasskey(room.people, await read(person), key.id, visitor), {
    message: /only way to sign in/,
  })
  assert.equal(await enter(key.answer(await draw())), 'in')
  assert.equal(await enter(second.answer(await draw())), 'refused')
  await setPasswordHash(room.db, person.id, 'hash')
  await removePasskey(room.people, await read(person), key.id, visitor)
  assert.equal(await enter(key.answer(await draw())), 'refused')
})

test('someone else’s passkey can’t be removed', async () => {
  const [one, other] = [await holder(), await holder()]
  await assert.rejects(removePasskey(room.people, await read(one.person), other.key.id, visitor), {
    message: 'Passkey not found',
  })
  assert.equal(await enter(other.key.answer(await draw())), 'in')
})
