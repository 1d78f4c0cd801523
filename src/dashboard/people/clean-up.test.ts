import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours, minutes } from '../../../test/support/clock.ts'
import { openPeople, visitorFrom, type PeopleRoom } from '../../../test/support/people.ts'
import { newPerson } from '../../../test/support/visitor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { cleanUpJob } from './clean-up.ts'
import { insertChallenge } from './factors/factor-store.ts'
import { makeLink } from './links.ts'
import { insertFlow } from './openid/identity-store.ts'
import { rememberDevice } from './sessions/session-store.ts'
import { beginSession } from './sessions/sessions.ts'
import { proofTry, take } from './waits.ts'

let room: PeopleRoom
before(async () => {
  room = await openPeople()
})
after(() => room.close())

const days = 24 * hours
const endsAt = (ms: number): Date => new Date(room.clock.now().getTime() + ms)

/** Leaves one row behind. */
const rows = {
  sessions: async (personId: string) =>
    inTransaction(room.db, async (tx) =>
      beginSession(tx, { personId, state: 'whole', now: room.clock.now(), ...visitorFrom('192.0.2.1') }),
    ),
  person_links: async (personId: string) =>
    inTransaction(room.db, async (tx) => makeLink(tx, { kind: 'reset', personId, now: room.clock.now() })),
  passkey_challenges: async () =>
    insertChallenge(room.db, { challenge: 'abc', purpose: 'sign in', endsAt: endsAt(5 * minutes) }),
  openid_flows: async () =>
    insertFlow(room.db, {
      hash: Buffer.from('flow'),
      purpose: 'sign_in',
      about: '',
      startedAt: room.clock.now(),
      endsAt: endsAt(10 * minutes),
    }),
  sign_in_waits: async () => take(room.db, proofTry('per_1'), room.clock.now()),
  known_devices: async (personId: string) =>
    inTransaction(room.db, async (tx) =>
      rememberDevice(tx, personId, Buffer.from('device'), room.clock.now()),
    ),
}

async function count(table: string): Promise<number> {
  const [row] = await room.db.query<{ count: number }>({
    text: `select count(*)::integer as count from ${table}`,
    values: [],
    name: undefined,
  })
  return row?.count ?? 0
}

for (const [table, life] of [
  ['sessions', 12 * hours],
  ['person_links', 30 * minutes],
  ['passkey_challenges', 5 * minutes],
  ['openid_flows', 10 * minutes],
  ['sign_in_waits', days],
  ['known_devices', 400 * days],
] as const) {
  test(`${table} keep usable rows and delete them once expired`, async () => {
    const clean = cleanUpJob(room.people)
    await rows[table]((await newPerson(room)).id)
    room.clock.jump(life)
    await clean.run()
    assert.equal(await count(table), 1, 'up to its last moment')
    room.clock.jump(1)
    await clean.run()
    assert.equal(await count(table), 0)
  })
}

test('a browser that is used again is known for another 400 days', async () => {
  const clean = cleanUpJob(room.people)
  const { id } = await newPerson(room)
  await rows.known_devices(id)
  room.clock.jump(400 * days)
  await rows.known_devices(id)
  room.clock.jump(400 * days)
  await clean.run()
  assert.equal(await count('known_devices'), 1)
  room.clock.jump(1)
  await clean.run()
  assert.equal(await count('known_devices'), 0)
})

test('a session in use expires after thirty days', async () => {
  const clean = cleanUpJob(room.people)
  await rows.sessions((await newPerson(room)).id)
  const use = async (): Promise<unknown> =>
    room.db.query(sql`update sessions set seen_at = ${room.clock.now().toISOString()}`)
  room.clock.jump(30 * days)
  await use()
  await clean.run()
  assert.equal(await count('sessions'), 1)
  room.clock.jump(1)
  await use()
  await clean.run()
  assert.equal(await count('sessions'), 0)
})
