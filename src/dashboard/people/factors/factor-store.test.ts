import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import {
  countRecoveryCodes,
  deleteFactorsOf,
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  replaceRecoveryCodes,
  takeChallenge,
  takeRecoveryCode,
} from './factor-store.ts'

// Two people: whatever is read or used up is the one person's alone.

let room: PeopleRoom
let one: string
let other: string
const now = new Date('2026-11-16T12:00:00.000Z')
const soon = new Date(now.getTime() + 1)

before(async () => {
  room = await openPeople()
  one = (await newPerson(room)).id
  other = (await newPerson(room)).id
})
after(() => room.close())

const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => inTransaction(room.db, work)

async function addPasskey(id: string, personId: string, counter = 0n): Promise<boolean> {
  const key = { id, personId, publicKey: Buffer.from('key'), counter, transports: [], name: `Key ${id}` }
  return within(async (tx) => insertPasskey(tx, key))
}

test('a passkey is stored once, and listed and deleted only for its own person', async () => {
  assert.deepEqual([await addPasskey('a', one), await addPasskey('b', other)], [true, true])
  assert.equal(await addPasskey('a', other), false)
  assert.equal((await findPasskey(room.db, 'a'))?.person_id, one)
  assert.equal(await findPasskey(room.db, 'none'), undefined)
  const ids = async (personId: string) => (await listPasskeys(room.db, personId)).map(({ id }) => id)
  assert.deepEqual([await ids(one), await ids(other)], [['a'], ['b']])
  assert.equal(await within(async (tx) => deletePasskey(tx, other, 'a')), undefined)
  await addPasskey('c', one)
  assert.equal(await within(async (tx) => deletePasskey(tx, one, 'a')), 'Key a')
  assert.deepEqual(await ids(one), ['c'])
})

for (const [stored, said, isGood] of [
  [0n, 0n, true],
  [0n, 1n, true],
  [5n, 6n, true],
  [5n, 5n, false],
  [5n, 4n, false],
  [5n, 0n, false],
] as const)
  test(`a passkey that counted to ${stored} and says ${said} is ${isGood ? 'good' : 'a copy'}`, async () => {
    const id = `count-${stored}-${said}`
    await addPasskey(id, one, stored)
    await addPasskey(`${id}-other`, other, stored)
    assert.equal(await within(async (tx) => notePasskeyUse(tx, id, said, now)), isGood)
    assert.equal((await findPasskey(room.db, id))?.counter, isGood ? said : stored)
    assert.equal((await findPasskey(room.db, `${id}-other`))?.used_at, null)
  })

test('a challenge is used once, for its purpose and until it expires', async () => {
  await insertChallenge(room.db, { challenge: 'x', purpose: 'sign in', endsAt: soon })
  await insertChallenge(room.db, { challenge: 'y', purpose: 'sign in', endsAt: soon })
  assert.equal(await takeChallenge(room.db, 'x', 'prove', now), false)
  assert.equal(await takeChallenge(room.db, 'x', 'sign in', soon), false)
  assert.equal(await takeChallenge(room.db, 'x', 'sign in', now), true)
  assert.equal(await takeChallenge(room.db, 'x', 'sign in', now), false)
  assert.equal(await takeChallenge(room.db, 'y', 'sign in', now), true)
})

test('a recovery code is used once, by its person, and new codes replace the old', async () => {
  const codes = ['1', '2'].map((code) => Buffer.from(code))
  for (const personId of [one, other]) await within(async (tx) => replaceRecoveryCodes(tx, personId, codes))
  const take = async (personId: string, code: string) =>
    within(async (tx) => takeRecoveryCode(tx, personId, Buffer.from(code), now))
  assert.deepEqual([await take(one, '3'), await take(one, '1'), await take(one, '1')], [false, true, false])
  const left = async () => [await countRecoveryCodes(room.db, one), await countRecoveryCodes(room.db, other)]
  assert.deepEqual(await left(), [1, 2])
  await within(async (tx) => replaceRecoveryCodes(tx, one, [Buffer.from('4')]))
  assert.deepEqual(await left(), [1, 2])
  assert.deepEqual([await take(one, '2'), await take(one, '4')], [false, true])
  await within(async (tx) => replaceRecoveryCodes(tx, one, []))
  assert.deepEqual(await left(), [0, 2])
})

test('deleting a person deletes their passkeys and codes, and nobody else’s', async () => {
  await addPasskey('gone', one)
  await addPasskey('stays', other)
  for (const id of [one, other]) await within(async (tx) => replaceRecoveryCodes(tx, id, [Buffer.from(id)]))
  await within(async (tx) => deleteFactorsOf(tx, one))
  assert.deepEqual(
    [(await listPasskeys(room.db, one)).length, await countRecoveryCodes(room.db, one)],
    [0, 0],
  )
  assert.equal((await findPasskey(room.db, 'stays'))?.person_id, other)
  assert.equal(await countRecoveryCodes(room.db, other), 1)
})
