import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson, type PersonAt } from '../../../../test/support/visitor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { beginSession } from '../sessions/sessions.ts'
import { renewRecoveryCodes, showSecondFactor, turnTotpOff, turnTotpOn } from './second-factor.ts'
import { codeAt, drawTotpSecret, stepAt } from './totp.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const stepMs = 30_000
let addresses = 0
/** Each from an address of its own, so that only the account is counted against. */
const fresh = () => visitorFrom(`198.51.${addresses >> 8}.${(addresses += 1) & 255}`)

type WithCodes = { readonly person: PersonAt; readonly secret: Buffer; readonly recovery: readonly string[] }

async function withCodes(): Promise<WithCodes> {
  const person = await newPerson(room)
  const secret = drawTotpSecret()
  const recovery = await turnTotpOn(room.people, person.id, secret, codeOf(secret), fresh())
  room.clock.jump(stepMs)
  return { person, secret, recovery }
}

const codeOf = (secret: Buffer, steps = 0n): string => codeAt(secret, stepAt(room.clock.now()) + steps)

async function show({ person }: WithCodes, code: string): Promise<string> {
  const visitor = fresh()
  const half = await inTransaction(room.db, async (tx) =>
    beginSession(tx, { personId: person.id, state: 'half', now: room.clock.now(), ...visitor }),
  )
  return (await showSecondFactor(room.people, half, code, visitor)).kind
}

async function guess(whose: WithCodes, count: number): Promise<string[]> {
  const kinds: string[] = []
  for (let n = 0; n < count; n += 1) kinds.push(await show(whose, 'no code'))
  return kinds
}

const refused = (count: number): string[] => Array.from({ length: count }, () => 'refused')

test('a correct code clears earlier wrong ones, so five more are free', async () => {
  const whose = await withCodes()
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(await guess(whose, 5), refused(5), `round ${round}`)
    room.clock.jump(stepMs)
    assert.equal(await show(whose, codeOf(whose.secret)), 'in')
  }
  assert.deepEqual(await guess(whose, 7), [...refused(6), 'wait'])
  assert.equal(await show(whose, codeOf(whose.secret, 1n)), 'wait', 'not even a good code is tried')
})

test('a recovery code clears the wrong ones too', async () => {
  const whose = await withCodes()
  assert.deepEqual(await guess(whose, 5), refused(5))
  assert.equal(await show(whose, whose.recovery[0] ?? ''), 'in')
  assert.deepEqual(await guess(whose, 5), refused(5))
})

test('a clock may be one step off either way, and a code never counts twice or after a later one', async () => {
  const whose = await withCodes()
  const { secret } = whose
  room.clock.jump(stepMs * 10)
  assert.equal(await show(whose, codeOf(secret, -2n)), 'refused')
  assert.equal(await show(whose, codeOf(secret, 2n)), 'refused')
  assert.equal(await show(whose, codeOf(secret, -1n)), 'in')
  assert.equal(await show(whose, codeOf(secret, -1n)), 'refused')
  assert.equal(await show(whose, codeOf(secret, 1n)), 'in')
  assert.equal(await show(whose, codeOf(secret)), 'refused')
})

test('a recovery code works once, only for its person, and never after new ones or without an app', async () => {
  const [whose, other] = [await withCodes(), await withCodes()]
  const [first = '', second = ''] = whose.recovery
  assert.equal(await show(other, first), 'refused')
  assert.equal(await show(whose, first), 'in')
  assert.equal(await show(whose, first), 'refused')
  const renewed = await renewRecoveryCodes(room.people, whose.person.id, fresh())
  assert.equal(renewed.length, 10)
  assert.equal(await show(whose, second), 'refused')
  assert.equal(await show(whose, renewed[0] ?? ''), 'in')
  await turnTotpOff(room.people, whose.person.id, fresh())
  assert.equal(await show(whose, renewed[1] ?? ''), 'refused')
})

test('a half session that already ended isn’t completed by a code', async () => {
  const { person, secret } = await withCodes()
  const visitor = fresh()
  const half = await inTransaction(room.db, async (tx) =>
    beginSession(tx, { personId: person.id, state: 'half', now: room.clock.now(), ...visitor }),
  )
  assert.equal((await showSecondFactor(room.people, half, codeOf(secret), visitor)).kind, 'in')
  room.clock.jump(stepMs)
  assert.equal((await showSecondFactor(room.people, half, codeOf(secret), visitor)).kind, 'ended')
})
