import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../test/support/people.ts'
import { goodPassword, newPerson, type PersonAt } from '../../../test/support/visitor.ts'
import { sql } from '../../platform/database/sql.ts'
import { derive, turns } from './passwords/hash-password.ts'
import { isSolved, type Proof } from './passwords/proof-of-work.ts'
import type { People, Visitor } from './people.ts'
import { proofTask, provePassword, signIn } from './sign-in.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

let addresses = 0
/** Each from an address of its own, so that only the account is counted against. */
function fresh(knownBy?: string) {
  addresses += 1
  return visitorFrom(`198.51.${addresses >> 8}.${addresses & 255}`, knownBy)
}

const inventCookie = (): string => randomBytes(32).toString('base64url')

async function kindOf({ email }: PersonAt, password: string, knownBy?: string): Promise<string> {
  return (await signIn(room.people, { email, password }, fresh(knownBy))).kind
}

/** What guessing comes to: six tries (five are free, the sixth earns a second), then waits. */
async function guess(person: PersonAt, knownBy: () => string | undefined, count = 8): Promise<string[]> {
  const kinds: string[] = []
  for (let n = 0; n < count; n += 1) kinds.push(await kindOf(person, `guess ${n}`, knownBy()))
  return kinds
}

const sixThenWait = [...Array.from({ length: 6 }, () => 'refused'), 'wait', 'wait']

test('inventing a cookie for each guess gains no extra guesses', async () => {
  const person = await newPerson(room)
  assert.deepEqual(await guess(person, inventCookie), sixThenWait)
  assert.equal(await kindOf(person, goodPassword), 'wait', 'all of them count together')
})

test('a cookie known to one person is unknown to another', async () => {
  const [own, other] = [await newPerson(room), await newPerson(room)]
  const known = await signIn(room.people, { email: own.email, password: goodPassword }, fresh())
  assert.ok(known.kind === 'in')
  await guess(other, () => undefined)
  assert.equal(await kindOf(other, goodPassword, known.knownBy), 'wait')
  await guess(own, () => undefined)
  assert.equal(await kindOf(own, goodPassword, known.knownBy), 'in', 'the own browser is counted apart')
})

test('guesses in a known browser are counted too', async () => {
  const person = await newPerson(room)
  const known = await signIn(room.people, { email: person.email, password: goodPassword }, fresh())
  assert.ok(known.kind === 'in')
  assert.deepEqual(await guess(person, () => known.knownBy), sixThenWait)
})

test('a correct password clears the earlier tries: the next wrong ones are free again', async () => {
  const person = await newPerson(room)
  assert.deepEqual(await guess(person, () => undefined, 5), sixThenWait.slice(0, 5))
  assert.equal(await kindOf(person, goodPassword), 'in')
  assert.deepEqual(await guess(person, () => undefined), sixThenWait)
})

test('confirming a password is counted separately, waits after five wrong ones, and clears them when right', async () => {
  const person = await newPerson(room)
  const prove = async (password: string) => provePassword(room.people, person.id, password)
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 5; n += 1) assert.equal(await prove(`guess ${n}`), 'refused')
    assert.equal(await prove(goodPassword), 'proved')
  }
  for (let n = 0; n < 6; n += 1) assert.equal(await prove(`guess ${n}`), 'refused')
  assert.deepEqual(await prove(goodPassword), { seconds: 1 })
  assert.equal(await kindOf(person, goodPassword), 'in')
})

test('a new browser triggers an e-mail, even with an invented cookie; the first and known ones don’t', async () => {
  const person = await newPerson(room)
  const lettersNow = (): number => room.emails.filter(({ to }) => to === person.email).length
  const first = await signIn(room.people, { email: person.email, password: goodPassword }, fresh())
  assert.ok(first.kind === 'in')
  assert.equal(lettersNow(), 0)
  assert.equal(await kindOf(person, goodPassword, first.knownBy), 'in')
  assert.equal(lettersNow(), 0)
  assert.equal(await kindOf(person, goodPassword, inventCookie()), 'in')
  assert.equal(lettersNow(), 1)
  assert.equal(await kindOf(person, goodPassword), 'in')
  assert.equal(lettersNow(), 2)
})

test('the log says how a person signed in, and whether the browser was new', async () => {
  const person = await newPerson(room, { role: 'viewer' })
  const first = await signIn(room.people, { email: person.email, password: goodPassword }, fresh())
  assert.ok(first.kind === 'in')
  await kindOf(person, goodPassword, first.knownBy)
  const rows = await room.db.query<{ after: object }>(sql`
    select after from audit_log where merchant_id = ${room.merchantId} and subject = ${person.id}
      and action = 'person.signed_in' order by at, id`)
  assert.deepEqual(
    rows.map(({ after: facts }) => facts),
    [
      { way: 'password', new_device: true },
      { way: 'password', new_device: false },
    ],
  )
})

test('wrong sign-ins for invented accounts keep out no browser known at their address, and use up no account’s tries', async () => {
  const [owner, guest] = [await newPerson(room), await newPerson(room)]
  const known = await signIn(room.people, { email: owner.email, password: goodPassword }, fresh())
  assert.ok(known.kind === 'in')
  const office = '203.0.113.7'
  const at = async (email: string, password: string, knownBy?: string): Promise<string> =>
    (await signIn(room.people, { email, password }, visitorFrom(office, knownBy))).kind
  for (let n = 0; n < 31; n += 1) assert.equal(await at(`invented${n}@example.com`, 'wrong'), 'refused')
  for (let n = 0; n < 10; n += 1) assert.equal(await at(guest.email, goodPassword), 'wait')
  assert.equal(await at(owner.email, goodPassword, known.knownBy), 'in')
  assert.equal(await at(guest.email, goodPassword, known.knownBy), 'in', 'a colleague in the same browser')
  assert.equal(await kindOf(guest, goodPassword), 'in', 'from elsewhere: nothing counts against the account')
})

/** 75 sign-ins for invented accounts, with both turns taken: 60 wait, 15 were refused. */
async function crowd(t: TestContext, addressOf: (n: number) => string) {
  const both = await Promise.all([1, 2].map(async () => turns.take({ queue: 'known', share: 'test' })))
  const release = (): void => both.splice(0).forEach((end) => end())
  t.after(release)
  const come = async (email: string, password: string, visitor: Visitor, proof?: Proof) => {
    const queued = Promise.withResolvers<void>()
    const people: People = {
      ...room.people,
      derive: async (...given) => {
        const deriving = derive(...given)
        queued.resolve()
        return deriving
      },
    }
    const result = signIn(people, { email, password, ...(proof && { proof }) }, visitor)
    await Promise.race([queued.promise, result])
    return { kind: result.then(({ kind }) => kind) }
  }
  const strangers = await Promise.all(
    Array.from({ length: 75 }, async (_, n) =>
      come(`crowd${n}@example.com`, 'wrong', visitorFrom(addressOf(n))),
    ),
  )
  return {
    come,
    letIn: async () => {
      release()
      return Promise.all(strangers.map(async ({ kind }) => kind))
    },
  }
}

test('75 sign-ins from as many networks keep out neither known browsers nor proofs of work, and a refusal is no try', async (t) => {
  const [owner, guest] = [await newPerson(room), await newPerson(room)]
  const known = await signIn(room.people, { email: owner.email, password: goodPassword }, fresh())
  assert.ok(known.kind === 'in')
  assert.equal(await proofTask(room.people, fresh()), undefined)
  const { come, letIn } = await crowd(t, (n) => `10.${n}.0.1`)
  for (let n = 0; n < 10; n += 1) assert.equal(await kindOf(guest, goodPassword), 'busy')
  const newcomer = fresh()
  const { task = '' } = (await proofTask(room.people, newcomer)) ?? {}
  let nonce = 0
  while (!(await isSolved(task, String(nonce)))) nonce += 1
  const coming = [
    await come(owner.email, goodPassword, fresh(known.knownBy)),
    await come(guest.email, goodPassword, newcomer, { task, nonce: String(nonce) }),
  ]
  const kinds = await letIn()
  assert.equal(kinds.filter((kind) => kind === 'refused').length, 60)
  assert.deepEqual(await Promise.all(coming.map(async ({ kind }) => kind)), ['in', 'in'])
})

test('75 sign-ins from one network make room for the first from another', async (t) => {
  const person = await newPerson(room)
  const { come, letIn } = await crowd(t, (n) => `10.200.0.${n}`)
  const coming = await come(person.email, goodPassword, fresh())
  await letIn()
  assert.equal(await coming.kind, 'in')
})
