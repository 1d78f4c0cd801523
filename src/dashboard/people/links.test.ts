import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minutes } from '../../../test/support/clock.ts'
import { openPeople, type PeopleRoom } from '../../../test/support/people.ts'
import { newPerson } from '../../../test/support/visitor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { LinkKind } from './link-store.ts'
import { isLinkReplaced, linkMinutes, lookAtLink, makeLink, useLink } from './links.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const make = (kind: LinkKind, personId?: string) =>
  inTransaction(room.db, async (tx) =>
    makeLink(tx, { kind, ...(personId !== undefined && { personId }), now: room.clock.now() }),
  )
const ofSomebody = async (kind: LinkKind) =>
  make(kind, kind === 'sign_up' ? undefined : (await newPerson(room)).id)
const look = (kind: LinkKind, secret: string) => lookAtLink(room.db, kind, secret, room.clock.now())
const use = (kind: LinkKind, secret: string) =>
  inTransaction(room.db, async (tx) => useLink(tx, kind, secret, room.clock.now()))

for (const [kind, life] of [
  ['reset', 30],
  ['email', 60],
  ['sign_in', 15],
  ['sign_up', 60],
] as const) {
  test(`a ${kind} link works once, for exactly ${life} minutes`, async () => {
    assert.equal(linkMinutes[kind], life, 'what its email says')
    // Of two people, as a newer link of the same person ends the older.
    const [used, late] = [await ofSomebody(kind), await ofSomebody(kind)]
    room.clock.jump(life * minutes - 1)
    assert.equal((await look(kind, used))?.kind, kind)
    assert.equal((await look(kind, used))?.kind, kind, 'looking at it changes nothing')
    assert.equal((await use(kind, used))?.kind, kind)
    assert.equal(await use(kind, used), undefined)
    assert.equal((await look(kind, late))?.kind, kind)
    room.clock.jump(1)
    assert.equal(await look(kind, late), undefined)
    assert.equal(await use(kind, late), undefined)
  })
}

test('a link of one kind doesn’t work as another', async () => {
  const secret = await make('sign_up')
  for (const kind of ['reset', 'email', 'sign_in'] as const) {
    assert.equal(await look(kind, secret), undefined)
    assert.equal(await use(kind, secret), undefined)
  }
  assert.equal((await use('sign_up', secret))?.kind, 'sign_up')
})

test('a new link invalidates the person’s older ones of its kind, and no others', async () => {
  const [one, other] = [await newPerson(room), await newPerson(room)]
  const reset = await make('reset', one.id)
  const kept = [
    ['sign_in', await make('sign_in', one.id)],
    ['email', await make('email', one.id)],
    ['reset', await make('reset', other.id)],
    ['sign_up', await make('sign_up')],
  ] as const
  const newer = await make('reset', one.id)
  await make('sign_up')
  assert.equal(await look('reset', reset), undefined)
  assert.equal((await look('reset', newer))?.person_id, one.id)
  for (const [kind, secret] of kept) assert.equal((await look(kind, secret))?.kind, kind)
})

test('a replaced link is known as replaced until its time is over; used and unknown links are not', async () => {
  const { id } = await newPerson(room)
  const isReplaced = async (secret: string) => isLinkReplaced(room.db, 'sign_in', secret, room.clock.now())
  const older = await make('sign_in', id)
  room.clock.jump(minutes)
  const newer = await make('sign_in', id)
  assert.deepEqual([await isReplaced(older), await isReplaced(newer)], [true, false])
  assert.equal(await use('sign_in', older), undefined)
  assert.ok(await use('sign_in', newer))
  assert.deepEqual([await isReplaced(newer), await isReplaced('none')], [false, false])
  room.clock.jump(14 * minutes)
  assert.equal(await isReplaced(older), false)
})
