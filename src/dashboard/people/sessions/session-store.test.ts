import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import {
  deleteDevicesOf,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  findDevices,
  findSession,
  insertSession,
  listSessions,
  rememberDevice,
  setSeen,
  type NewSession,
} from './session-store.ts'

// Two people with sessions and devices: whatever is read or ended is the one person's alone.

let room: PeopleRoom
let one: string
let other: string
const now = new Date('2026-11-16T12:00:00.000Z')
const hashOf = (name: string): Buffer => Buffer.from(name)

before(async () => {
  room = await openPeople()
  one = (await newPerson(room)).id
  other = (await newPerson(room)).id
})
after(() => room.close())

const within = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => inTransaction(room.db, work)

async function begin(name: string, personId: string, changes: Partial<NewSession> = {}): Promise<void> {
  const like = {
    state: 'whole',
    wantsPassword: false,
    startedAt: now,
    at: now,
    provedAt: now,
    device: 'Firefox',
    way: null,
  } as const
  const session = { ...like, hash: hashOf(name), id: name, personId, address: '192.0.2.1', ...changes }
  await within(async (tx) => insertSession(tx, session))
}

async function idsOf(personId: string): Promise<string> {
  return (await listSessions(room.db, personId)).map(({ id }) => id).join(' ')
}

test('one person’s full sessions are listed, most recent first', async () => {
  await begin('a', one)
  await begin('b', one, { at: new Date(now.getTime() + 1) })
  await begin('c', one, { state: 'half' })
  await begin('d', other)
  assert.deepEqual([await idsOf(one), await idsOf(other)], ['b a', 'd'])
  await setSeen(room.db, hashOf('a'), new Date(now.getTime() + 2), '192.0.2.9')
  assert.equal(await idsOf(one), 'a b')
  assert.deepEqual(
    [(await findSession(room.db, hashOf('a')))?.address, (await findSession(room.db, hashOf('b')))?.address],
    ['192.0.2.9', '192.0.2.1'],
  )
  assert.equal(await findSession(room.db, hashOf('none')), undefined)
})

test('a session ends by its secret, or by its id for its own person', async () => {
  await begin('e', one)
  await begin('f', other)
  assert.equal(await within(async (tx) => deleteSessionById(tx, one, 'f')), false)
  assert.equal(await within(async (tx) => deleteSessionById(tx, one, 'e')), true)
  assert.equal(await deleteSession(room.db, hashOf('e')), false)
  assert.equal(await deleteSession(room.db, hashOf('f')), true)
  assert.equal(await findSession(room.db, hashOf('f')), undefined)
})

test('all sessions of a person end, except the one to keep', async () => {
  await begin('g', one)
  await begin('h', one)
  const before_ = await idsOf(other)
  const all = (await idsOf(one)).split(' ').length
  assert.equal(await within(async (tx) => deleteSessionsOf(tx, one, 'g')), all, 'with the half one')
  assert.equal(await idsOf(one), 'g')
  assert.equal(await within(async (tx) => deleteSessionsOf(tx, one)), 1)
  assert.deepEqual([await idsOf(one), await idsOf(other)], ['', before_])
})

test('a device is known only to the person who used it', async () => {
  const find = async (personId: string, name: string) => findDevices(room.db, personId, hashOf(name))
  assert.deepEqual(await find(one, 'phone'), { isKnown: false, hasOthers: false })
  for (let twice = 0; twice < 2; twice += 1)
    await within(async (tx) => rememberDevice(tx, one, hashOf('phone'), now))
  await within(async (tx) => rememberDevice(tx, other, hashOf('laptop'), now))
  assert.deepEqual(await find(one, 'phone'), { isKnown: true, hasOthers: true })
  assert.deepEqual(await find(one, 'laptop'), { isKnown: false, hasOthers: true })
  await within(async (tx) => deleteDevicesOf(tx, one))
  assert.deepEqual(await find(one, 'phone'), { isKnown: false, hasOthers: false })
  assert.deepEqual(await find(other, 'laptop'), { isKnown: true, hasOthers: true })
})
