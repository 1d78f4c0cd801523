import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import {
  deleteIdentitiesOf,
  deleteIdentity,
  findIdentity,
  findIdentityOf,
  insertFlow,
  insertIdentity,
  noteIdentityUse,
  takeFlow,
} from './identity-store.ts'

// Two people at two providers where they have the same names.

let room: PeopleRoom
let one: string
let other: string
const now = new Date('2026-11-16T12:00:00.000Z')

before(async () => {
  room = await openPeople()
  one = (await newPerson(room)).id
  other = (await newPerson(room)).id
})
after(() => room.close())

const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => inTransaction(room.db, work)

async function add(issuer: string, subject: string, personId: string): Promise<boolean> {
  return within(async (tx) => insertIdentity(tx, { issuer, subject, personId, email: null, at: now }))
}

test('an identity belongs to one person, and a person has one per provider', async () => {
  assert.equal(await add('one.example', 's1', one), true)
  assert.equal(await add('one.example', 's1', other), false)
  assert.equal(await add('one.example', 's2', one), false)
  assert.equal(await add('one.example', 's2', other), true)
  assert.equal(await add('two.example', 's1', other), true)
  const whose = async (issuer: string, subject: string) =>
    (await findIdentity(room.db, issuer, subject))?.person_id
  assert.deepEqual(
    [await whose('one.example', 's1'), await whose('two.example', 's1'), await whose('two.example', 's2')],
    [one, other, undefined],
  )
  const at = async (personId: string, issuer: string) =>
    (await findIdentityOf(room.db, personId, issuer))?.subject
  assert.deepEqual(
    [await at(one, 'one.example'), await at(other, 'one.example'), await at(one, 'two.example')],
    ['s1', 's2', undefined],
  )
})

test('a use is recorded for one identity', async () => {
  await within(async (tx) => noteIdentityUse(tx, 'one.example', 's1', now))
  const used = async (issuer: string, subject: string) =>
    (await findIdentity(room.db, issuer, subject))?.used_at !== null
  assert.deepEqual(
    [await used('one.example', 's1'), await used('one.example', 's2'), await used('two.example', 's1')],
    [true, false, false],
  )
})

test('an identity is removed for one person and provider, or all with a deleted person', async () => {
  assert.equal(await within(async (tx) => deleteIdentity(tx, one, 'two.example')), false)
  assert.equal(await within(async (tx) => deleteIdentity(tx, other, 'one.example')), true)
  assert.equal((await findIdentity(room.db, 'one.example', 's1'))?.person_id, one)
  assert.equal((await findIdentity(room.db, 'two.example', 's1'))?.person_id, other)
  await within(async (tx) => deleteIdentitiesOf(tx, other))
  assert.equal(await findIdentity(room.db, 'two.example', 's1'), undefined)
  assert.equal((await findIdentity(room.db, 'one.example', 's1'))?.person_id, one)
})

test('a flow is used once, by its secret and until it expires', async () => {
  const endsAt = new Date(now.getTime() + 1)
  const flow = { purpose: 'sign_in', about: '', startedAt: now, endsAt } as const
  for (const name of ['a', 'b']) await insertFlow(room.db, { ...flow, hash: Buffer.from(name) })
  const take = async (name: string, at: Date) => (await takeFlow(room.db, Buffer.from(name), at))?.purpose
  assert.equal(await take('none', now), undefined)
  assert.equal(await take('a', endsAt), undefined)
  assert.equal(await take('a', now), 'sign_in')
  assert.equal(await take('a', now), undefined)
  assert.equal(await take('b', now), 'sign_in')
})
