import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hours, minutes } from '../../../../test/support/clock.ts'
import { openPeople, type PeopleRoom } from '../../../../test/support/people.ts'
import { newPerson } from '../../../../test/support/visitor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import {
  beginSession,
  isFresh,
  isOver,
  listSessions,
  readSession,
  recordUse,
  rotateSession,
  type FreshSession,
  type Session,
} from './sessions.ts'

let room: PeopleRoom
let personId: string
before(async () => {
  room = await openPeople()
  personId = (await newPerson(room)).id
})
after(() => room.close())

const at = new Date('2026-03-01T12:00:00Z')
const later = (ms: number): Date => new Date(at.getTime() + ms)

const session: Session = {
  id: 'ses_1',
  personId: 'per_1',
  state: 'whole',
  startedAt: at,
  seenAt: at,
  provedAt: at,
  device: '',
  address: '',
  way: null,
  wantsPassword: false,
}
const days = 24 * hours

for (const [name, change, now, isEnded] of [
  ['is alive just before twelve hours without use', {}, later(12 * hours - 1), false],
  ['is over after twelve hours without use', {}, later(12 * hours), true],
  ['is alive just before thirty days of use', { seenAt: later(30 * days - 1) }, later(30 * days - 1), false],
  ['is over after thirty days of use', { seenAt: later(30 * days) }, later(30 * days), true],
  [
    'that waits for its code is alive just before ten minutes',
    { state: 'half' },
    later(10 * minutes - 1),
    false,
  ],
  ['that waits for its code is over after ten minutes', { state: 'half' }, later(10 * minutes), true],
] as const) {
  test(`a session ${name}`, () => assert.equal(isOver({ ...session, ...change }, now), isEnded))
}

for (const [name, ms, isNew] of [
  ['just before ten minutes', 10 * minutes - 1, true],
  ['at ten minutes', 10 * minutes, false],
  ['at once', 0, true],
  ['at a server whose clock is a little ahead', -5_000, true],
  ['that lies in the future', -5_001, false],
] as const) {
  test(`a proof ${name} counts as ${isNew ? 'fresh' : 'old'}`, () =>
    assert.equal(isFresh(session, later(ms)), isNew))
}

const begin = (given: Partial<Parameters<typeof beginSession>[1]> = {}) =>
  inTransaction(room.db, async (tx) =>
    beginSession(tx, {
      personId,
      state: 'whole',
      now: at,
      device: 'Firefox',
      address: '192.0.2.1',
      ...given,
    }),
  )

const rotate = (
  { session: old, cookie }: FreshSession,
  now: Date,
  change: { readonly state?: 'whole'; readonly provedAt?: Date } = {},
) => inTransaction(room.db, async (tx) => rotateSession(tx, old, cookie, { now, ...change }))

test('a renewed session keeps its start and its proof: neither thirty days nor ten minutes start again', async () => {
  let current = await begin()
  for (let day = 1; day < 30; day += 1) {
    const next = await rotate(current, later(day * days))
    assert.ok(next)
    assert.notEqual(next.cookie, current.cookie)
    assert.equal(await readSession(room.db, current.cookie, later(day * days)), undefined)
    current = next
  }
  assert.deepEqual([current.session.startedAt, current.session.provedAt], [at, at])
  assert.equal(isFresh(current.session, later(29 * days)), false)
  const { cookie } = current
  const read = async (ms: number) => {
    const found = await readSession(room.db, cookie, later(ms))
    if (found) await recordUse(room.db, { session: found, cookie }, later(ms), '192.0.2.1')
    return found
  }
  // Seen on day 29; seen again, so that it is its age that ends it.
  assert.deepEqual((await read(29 * days + 11 * hours))?.startedAt, at)
  assert.ok(await read(29 * days + 22 * hours))
  assert.ok(await read(30 * days - 1))
  assert.equal(await read(30 * days), undefined)
})

test('a renewed session keeps its person, origin, state and method', async () => {
  const old = await begin({ state: 'half', way: 'openid' })
  const next = await rotate(old, later(1_000))
  const { id: _, seenAt, ...kept } = next?.session ?? session
  const { id: __, seenAt: ___, ...first } = old.session
  assert.deepEqual(kept, first)
  assert.deepEqual(seenAt, later(1_000))
})

test('a new proof counts from its own moment, and the start stays', async () => {
  const old = await begin()
  const proved = await rotate(old, later(hours), { provedAt: later(hours) })
  assert.ok(proved)
  assert.equal(isFresh(proved.session, later(hours + 10 * minutes - 1)), true)
  assert.equal(isFresh(proved.session, later(hours + 10 * minutes)), false)
  assert.deepEqual(proved.session.startedAt, at)
})

test('an old session id is worthless, even for getting a new one', async () => {
  const old = await begin()
  assert.ok(await rotate(old, at))
  assert.equal(await rotate(old, at), undefined)
})

test('an expired session is deleted when used, and isn’t listed before that', async () => {
  const one = await newPerson(room)
  const idle = await begin({ personId: one.id })
  assert.equal((await listSessions(room.db, one.id, later(12 * hours - 1))).length, 1)
  assert.deepEqual(await listSessions(room.db, one.id, later(12 * hours)), [])
  assert.equal(await readSession(room.db, idle.cookie, later(12 * hours)), undefined)
  assert.equal(await readSession(room.db, idle.cookie, at), undefined, 'it is gone')
})

test('use is recorded once a minute, with its address', async () => {
  const { cookie } = await begin()
  const seen = async (ms: number, address: string) => {
    const found = await readSession(room.db, cookie, later(ms))
    assert.ok(found)
    await recordUse(room.db, { session: found, cookie }, later(ms), address)
    const read = await readSession(room.db, cookie, later(ms))
    return [read?.seenAt.getTime(), read?.address]
  }
  assert.deepEqual(await seen(minutes - 1, '192.0.2.2'), [at.getTime(), '192.0.2.1'])
  assert.deepEqual(await seen(minutes, '192.0.2.2'), [at.getTime() + minutes, '192.0.2.2'])
})

for (const cookie of [undefined, '', 'A'.repeat(42), 'A'.repeat(43), 'A'.repeat(44), `${'A'.repeat(42)}'`])
  test(`a cookie of ${cookie ?? 'nothing'} is no session`, async () => {
    assert.equal(await readSession(room.db, cookie, at), undefined)
  })
