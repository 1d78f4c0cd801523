import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours } from '../../../../test/support/clock.ts'
import { openPeople, secretIn, visitorFrom, type PeopleRoom } from '../../../../test/support/people.ts'
import { goodPassword, newPerson, type PersonAt } from '../../../../test/support/visitor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { createMerchant } from '../../../core/merchants/create-merchant.ts'
import { deleteOwnAccount } from '../delete-person.ts'
import type { Person } from '../people.ts'
import type { Role } from '../rights.ts'
import { beginSession } from '../sessions/sessions.ts'
import { joinAsNewPerson, joinTeam, readInvitation } from './join-team.ts'
import { changeRole, invite, listInvitations, listMembers, removeMember } from './team.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const visitor = visitorFrom('192.0.2.1')
const needsOwner = { message: 'A team needs an owner. Make someone else an owner first.' }

function personAt({ id, email, name }: PersonAt): Person {
  return { id, email, name, isOperator: false, hasPassword: true, hasTotp: false }
}

async function teamOf(...roles: Role[]): Promise<{ merchantId: number; members: Person[] }> {
  const merchantId = await createMerchant(room.db, { name: 'Shop' })
  const members: Person[] = []
  for (const role of roles) members.push(personAt(await newPerson(room, { role, merchantId })))
  return { merchantId, members }
}

async function inviteTo(merchantId: number, by: Person, email: string): Promise<string> {
  const team = { merchantId, merchantName: 'Shop' }
  await invite(room.people, team, by, { email, role: 'viewer' }, visitor)
  return secretIn(room.emails, email)
}

const join = (merchantId: number, secret: string) =>
  joinAsNewPerson(room.people, merchantId, secret, { name: 'Grace', password: goodPassword }, visitor)

test('an invitation can be read, listed and accepted for exactly seven days', async () => {
  const { merchantId, members } = await teamOf('owner')
  const [owner] = members as [Person]
  const early = await inviteTo(merchantId, owner, 'early@example.com')
  const late = await inviteTo(merchantId, owner, 'late@example.com')
  room.clock.jump(7 * 24 * hours - 1)
  assert.equal((await listInvitations(room.people, merchantId)).length, 2)
  assert.equal((await readInvitation(room.people, merchantId, early))?.email, 'early@example.com')
  assert.equal((await join(merchantId, early))?.kind, 'in')
  room.clock.jump(1)
  assert.deepEqual(await listInvitations(room.people, merchantId), [])
  assert.equal(await readInvitation(room.people, merchantId, late), undefined)
  assert.equal(await join(merchantId, late), undefined)
  assert.equal((await listMembers(room.people, merchantId)).length, 2)
})

test('someone with an account can join for exactly seven days, and only with their own address', async () => {
  const { merchantId, members } = await teamOf('owner')
  const [owner] = members as [Person]
  const guests = [await newPerson(room), await newPerson(room)] as const
  const [early, late] = [
    await inviteTo(merchantId, owner, guests[0].email.toUpperCase()),
    await inviteTo(merchantId, owner, guests[1].email),
  ]
  const joinAs = async (guest: PersonAt, secret: string) => {
    const given = { personId: guest.id, state: 'whole', now: room.clock.now(), ...visitor } as const
    const { session, cookie } = await inTransaction(room.db, async (tx) => beginSession(tx, given))
    const own = { person: personAt(guest), session, cookie }
    return joinTeam(room.people, merchantId, secret, own, visitor)
  }
  room.clock.jump(7 * 24 * hours - 1)
  await assert.rejects(joinAs(guests[1], early), { message: 'This invitation is for another address' })
  assert.ok(await joinAs(guests[0], early))
  assert.equal(await joinAs(guests[0], early), undefined, 'once')
  room.clock.jump(1)
  assert.equal(await joinAs(guests[1], late), undefined)
  assert.equal((await listMembers(room.people, merchantId)).length, 2)
})

test('inviting someone again starts another seven days, with a new link', async () => {
  const { merchantId, members } = await teamOf('owner')
  const [owner] = members as [Person]
  const first = await inviteTo(merchantId, owner, 'again@example.com')
  room.clock.jump(6 * 24 * hours)
  const second = await inviteTo(merchantId, owner, 'again@example.com')
  room.clock.jump(7 * 24 * hours - 1)
  assert.equal(await readInvitation(room.people, merchantId, first), undefined)
  assert.equal((await readInvitation(room.people, merchantId, second))?.email, 'again@example.com')
})

test('the e-mail says how many days the link works', async () => {
  const { merchantId, members } = await teamOf('owner')
  await inviteTo(merchantId, (members as [Person])[0], 'days@example.com')
  assert.match(room.emails.at(-1)?.paragraphs.join(' ') ?? '', /\b7 days\b/)
})

for (const others of [['viewer'], ['developer', 'support', 'viewer']] as const) {
  test(`the only owner beside ${others.join(', ')} can’t leave, be removed or delete the account`, async () => {
    const { merchantId, members } = await teamOf('owner', ...others)
    const [owner, other] = members as [Person, Person]
    await assert.rejects(removeMember(room.people, merchantId, owner.id, owner, visitor), needsOwner)
    await assert.rejects(removeMember(room.people, merchantId, owner.id, other, visitor), needsOwner)
    await assert.rejects(deleteOwnAccount(room.people, owner, visitor), needsOwner)
    const change = { personId: owner.id, role: 'viewer' } as const
    await assert.rejects(changeRole(room.people, merchantId, change, other, visitor), needsOwner)
    const roles = (await listMembers(room.people, merchantId)).map(({ role }) => role)
    assert.deepEqual(roles.toSorted(), ['owner', ...others].toSorted())
  })
}

test('one of two owners may leave, step down or be removed, and a viewer always may', async () => {
  for (const go of ['leave', 'step down', 'be removed'] as const) {
    const { merchantId, members } = await teamOf('owner', 'owner', 'viewer')
    const [first, second, viewer] = members as [Person, Person, Person]
    const change = { personId: first.id, role: 'viewer' } as const
    if (go === 'step down') await changeRole(room.people, merchantId, change, second, visitor)
    else await removeMember(room.people, merchantId, first.id, go === 'leave' ? first : second, visitor)
    await removeMember(room.people, merchantId, viewer.id, viewer, visitor)
    await assert.rejects(removeMember(room.people, merchantId, second.id, second, visitor), needsOwner)
  }
})
