import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, type PeopleRoom } from '../../../test/support/people.ts'
import { newPerson } from '../../../test/support/visitor.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { deleteLinksOf, findLink, insertLink, takeLink, type LinkKind } from './link-store.ts'
import {
  deletePerson,
  findPerson,
  findPersonByEmail,
  insertPerson,
  isAnybodyHere,
  isOnlyOperator,
  listPeople,
  listSomePeople,
  listTotpSecrets,
  lockPerson,
  renewPasswordHash,
  replaceTotpSecret,
  setEmail,
  setName,
  setPasswordHash,
  setTotp,
  takeTotpStep,
} from './store.ts'

// Two people: whatever is read or changed is the one person's alone.

let room: PeopleRoom
const now = new Date('2026-11-16T12:00:00.000Z')
const soon = new Date(now.getTime() + 1)

before(async () => {
  room = await openPeople()
})
after(() => room.close())

const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => inTransaction(room.db, work)

async function twoPeople(): Promise<readonly [string, string]> {
  return [(await newPerson(room)).id, (await newPerson(room)).id]
}

async function read(id: string) {
  return (await findPerson(room.db, id)) ?? assert.fail()
}

test('an e-mail address belongs to one person, in any case', async () => {
  assert.equal(await isAnybodyHere(room.db), false)
  const person = { name: 'Ada', passwordHash: null, isOperator: false }
  const insert = async (id: string, email: string) =>
    within(async (tx) => insertPerson(tx, { ...person, id: `per_${id.repeat(16)}`, email }))
  assert.equal(await insert('a', 'Ada@example.com'), true)
  assert.equal(await isAnybodyHere(room.db), true)
  assert.equal(await insert('b', 'aDA@example.com'), false)
  assert.equal((await findPersonByEmail(room.db, 'ada@EXAMPLE.com'))?.id, `per_${'a'.repeat(16)}`)
  assert.equal(await findPersonByEmail(room.db, 'adam@example.com'), undefined)
  const [one] = await twoPeople()
  const setTo = async (email: string) => within(async (tx) => setEmail(tx, one, email))
  assert.equal(await setTo('ADA@example.com'), false)
  assert.equal(await setTo('grace@example.com'), true)
  assert.equal(await setTo('Grace@example.com'), true, 'their own in other emails')
  assert.equal((await read(one)).email, 'Grace@example.com')
})

test('a change of name, password or authenticator affects one person', async () => {
  const [one, other] = await twoPeople()
  const untouched = await read(other)
  await within(async (tx) => setName(tx, one, 'New name'))
  await setPasswordHash(room.db, one, 'hash')
  await renewPasswordHash(room.db, one, 'another hash', 'renewed')
  assert.equal((await read(one)).password_hash, 'hash', 'changed meanwhile')
  await renewPasswordHash(room.db, one, 'hash', 'renewed')
  await within(async (tx) => setTotp(tx, one, Buffer.from('sealed'), 7n))
  const { name, password_hash, totp_sealed, totp_step } = await read(one)
  assert.deepEqual(
    [name, password_hash, String(totp_sealed), totp_step],
    ['New name', 'renewed', 'sealed', 7n],
  )
  assert.deepEqual(await read(other), untouched)
})

test('an authenticator step counts once, and no earlier one after it', async () => {
  const [one, other] = await twoPeople()
  const take = async (step: bigint) => within(async (tx) => takeTotpStep(tx, one, step))
  assert.deepEqual(
    [await take(5n), await take(5n), await take(4n), await take(6n)],
    [true, false, false, true],
  )
  assert.equal((await read(other)).totp_step, 0n)
})

test('a sealed secret is replaced only if unchanged since it was read', async () => {
  const [one, other] = await twoPeople()
  const [old, fresh] = [Buffer.from('old'), Buffer.from('fresh')]
  for (const id of [one, other]) await within(async (tx) => setTotp(tx, id, old, 0n))
  assert.equal(await replaceTotpSecret(room.db, one, fresh, old), false)
  assert.equal(await replaceTotpSecret(room.db, one, old, fresh), true)
  assert.deepEqual((await read(other)).totp_sealed, old)
  const listed = await listTotpSecrets(room.db)
  assert.ok(listed.every(({ totp_sealed }) => totp_sealed !== null))
  const ids = listed.map(({ id }) => id)
  assert.ok(ids.includes(one) && ids.includes(other))
  assert.deepEqual(ids, ids.toSorted())
})

test('people are listed by id, or all from the oldest', async () => {
  const [one, other] = await twoPeople()
  assert.deepEqual(
    (await listPeople(room.db, [one])).map(({ id }) => id),
    [one],
  )
  const all = (await listSomePeople(room.db, 1_000)).map(({ id }) => id)
  assert.ok(all.indexOf(one) < all.indexOf(other))
  assert.equal((await listSomePeople(room.db, 1)).length, 1)
})

test('a locked person is locked, and a deleted one is gone', async () => {
  const [one, other] = await twoPeople()
  await within(async (tx) => {
    assert.equal((await lockPerson(tx, one))?.id, one)
    const free = await room.db.query<{ id: string }>(sql`
      select id from people where id in (${one}, ${other}) for update skip locked`)
    assert.deepEqual(
      free.map(({ id }) => id),
      [other],
    )
  })
  await within(async (tx) => deletePerson(tx, one))
  assert.equal(await findPerson(room.db, one), undefined)
  assert.equal((await read(other)).id, other)
})

test('a single operator is recognised as the only one, and two are not', async () => {
  const { id: first } = await newPerson(room, { isOperator: true })
  const isOnly = async (id: string) => within(async (tx) => isOnlyOperator(tx, id))
  assert.equal(await isOnly(first), true)
  const { id: second } = await newPerson(room, { isOperator: true })
  assert.deepEqual([await isOnly(first), await isOnly(second)], [false, false])
  await within(async (tx) => {
    await isOnlyOperator(tx, first)
    const free = await room.db.query(sql`select from people where is_operator for update skip locked`)
    assert.equal(free.length, 0, 'both are locked')
  })
})

test('a link is found and used once by its secret and kind, until it expires', async () => {
  const [personId] = await twoPeople()
  const hash = Buffer.from('secret')
  const link = { hash, kind: 'reset', personId, email: null, endsAt: soon } as const
  await within(async (tx) => insertLink(tx, link))
  const find = async (secret: string, kind: LinkKind, at: Date) =>
    (await findLink(room.db, Buffer.from(secret), kind, at))?.person_id
  const take = async (secret: string, kind: LinkKind, at: Date) =>
    (await within(async (tx) => takeLink(tx, Buffer.from(secret), kind, at)))?.person_id
  for (const ask of [find, take]) {
    assert.equal(await ask('other', 'reset', now), undefined)
    assert.equal(await ask('secret', 'email', now), undefined)
    assert.equal(await ask('secret', 'reset', soon), undefined)
    assert.equal(await ask('secret', 'reset', now), personId)
  }
  assert.equal(await take('secret', 'reset', now), undefined)
})

test('one person’s links of some kinds are deleted', async () => {
  const [one, other] = await twoPeople()
  const rows = [
    [one, 'reset'],
    [one, 'email'],
    [other, 'reset'],
  ] as const
  for (const [personId, kind] of rows)
    await within(async (tx) =>
      insertLink(tx, {
        hash: Buffer.from(personId + kind),
        kind,
        personId,
        email: 'a@example.com',
        endsAt: soon,
      }),
    )
  await within(async (tx) => deleteLinksOf(tx, one, ['reset', 'sign_in']))
  const left = await Promise.all(
    rows.map(
      async ([id, kind]) => (await findLink(room.db, Buffer.from(id + kind), kind, now)) !== undefined,
    ),
  )
  assert.deepEqual(left, [false, true, true])
})
