import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minutes } from '../../../../test/support/clock.ts'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson, type PersonAt } from '../../../../test/support/visitor.ts'
import { findPerson, setPasswordHash } from '../store.ts'
import { personOf } from '../people.ts'
import { isFresh } from '../sessions/sessions.ts'
import { comeBack, setOut } from './flows.ts'
import { isProvedByOpenId, linkOpenId, signInWithOpenId, unlinkOpenId } from './identities.ts'
import type { Claims, OpenIdProvider } from './provider.ts'

// A provider that draws its page from the state, so that a journey can be followed without one.
const openId: OpenIdProvider = {
  name: 'Company',
  issuer: 'https://id.example.com',
  addressFor: async ({ state }) => `https://id.example.com/?state=${state}`,
  redeem: async () => assert.fail('nobody asks'),
}

let room: PeopleRoom
before(async () => {
  room = await openPeople({ openId })
})
after(() => room.close())

const visitor = visitorFrom('192.0.2.1')
let subjects = 0

async function connected(): Promise<{ person: PersonAt; claims: Claims }> {
  const person = await newPerson(room)
  const claims: Claims = {
    issuer: openId.issuer,
    subject: `subject-${(subjects += 1)}`,
    verifiedEmail: undefined,
    email: undefined,
    name: undefined,
    authenticatedAt: undefined,
  }
  await linkOpenId(room.people, person.id, claims, visitor)
  return { person, claims }
}

async function depart(): Promise<{ secret: string; state: string }> {
  const left = await setOut(room.people, { purpose: 'prove', about: 'per_1' }, visitor)
  assert.ok(left.kind === 'go')
  return { secret: left.secret, state: new URL(left.url).searchParams.get('state') ?? '' }
}

const ago = (ms: number): Date => new Date(room.clock.now().getTime() - ms)

test('an OpenID sign-in may take exactly ten minutes, and finishes once', async () => {
  const [used, late] = [await depart(), await depart()]
  room.clock.jump(10 * minutes - 1)
  const back = await comeBack(room.people, used.secret, used.state)
  assert.deepEqual([back?.purpose, back?.about], ['prove', 'per_1'])
  assert.equal(await comeBack(room.people, used.secret, used.state), undefined)
  room.clock.jump(1)
  assert.equal(await comeBack(room.people, late.secret, late.state), undefined)
})

test('a callback of another sign-in, or without its cookie, is ignored and ends nothing', async () => {
  const [own, other] = [await depart(), await depart()]
  for (const [secret, state] of [
    [undefined, own.state],
    [own.secret, undefined],
    [own.secret, other.state],
    [own.secret, own.state.slice(1)],
  ])
    assert.equal(await comeBack(room.people, secret, state), undefined)
  assert.equal((await comeBack(room.people, own.secret, own.state))?.purpose, 'prove')
})

for (const [name, authenticated, isProved] of [
  ['since the journey began', 0, true],
  ['a minute before it, as clocks differ', minutes, true],
  ['more than a minute before it', minutes + 1, false],
  ['at no known time', undefined, false],
] as const) {
  test(`a sign-in at the provider ${name} is ${isProved ? 'a' : 'no'} proof`, async () => {
    const { person, claims } = await connected()
    const { secret, state } = await depart()
    const flow = (await comeBack(room.people, secret, state)) ?? assert.fail()
    const authenticatedAt = authenticated === undefined ? undefined : ago(authenticated)
    const told = { ...claims, authenticatedAt }
    assert.equal(await isProvedByOpenId(room.people, person.id, flow, told), isProved)
    const stranger = await connected()
    assert.equal(await isProvedByOpenId(room.people, stranger.person.id, flow, told), false)
  })
}

for (const [name, authenticated, isNew] of [
  ['a moment ago', 0, true],
  ['nearly ten minutes ago', 10 * minutes - 1, true],
  ['ten minutes ago', 10 * minutes, false],
  ['by its clock in the future', -minutes, true],
  ['at no known time', undefined, false],
] as const) {
  test(`a session signed in at the provider ${name} is ${isNew ? '' : 'not '}fresh`, async () => {
    const { claims } = await connected()
    const authenticatedAt = authenticated === undefined ? undefined : ago(authenticated)
    const result = await signInWithOpenId(room.people, { ...claims, authenticatedAt }, visitor)
    assert.ok(result.kind === 'in')
    assert.equal(isFresh(result.fresh.session, room.clock.now()), isNew)
    room.clock.jump(10 * minutes)
    assert.equal(isFresh(result.fresh.session, room.clock.now()), false)
  })
}

test('the last way to sign in can’t be disconnected, and a password is another one', async () => {
  const { person, claims } = await connected()
  const own = personOf((await findPerson(room.db, person.id)) ?? assert.fail())
  await setPasswordHash(room.db, person.id, null)
  await assert.rejects(unlinkOpenId(room.people, own, visitor), { message: /only way to sign in/ })
  assert.equal((await signInWithOpenId(room.people, claims, visitor)).kind, 'in')
  await setPasswordHash(room.db, person.id, 'hash')
  await unlinkOpenId(room.people, own, visitor)
  assert.equal((await signInWithOpenId(room.people, claims, visitor)).kind, 'unknown')
})
