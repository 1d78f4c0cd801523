import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  own,
  plainSecret,
  secret,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { makeFollow, type Follow, type FollowedNotification } from './follow.ts'
import { isSigned } from './ipn/signature.ts'
import { makeOutbox } from './outbox.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const openFollow = (): Follow => makeFollow({ db: rows.db, secrets: testSecrets }, makeOutbox())
const since = { merchantId: own, since: moment(0), after: 'evt_b' }
const secrets = [
  secret({ id: 'whs_a' }),
  secret({ id: 'whs_theirs', merchant_id: neighbour, secret: plainSecret('b') }),
]

const ids = (found: readonly FollowedNotification[]): string[] => found.map(({ id }) => id)

test('notifications newer than the last known one are returned at once, signed for their merchant', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a' }),
      delivery({ id: 'evt_b' }),
      delivery({ id: 'evt_c', body: '{"a":1}' }),
      delivery({ id: 'evt_d', created_at: moment(1) }),
      delivery({ id: 'evt_live', mode: 'live', created_at: moment(1) }),
      delivery({ id: 'evt_theirs', merchant_id: neighbour, created_at: moment(1) }),
    ],
    secrets,
  })
  const found = await openFollow().wait(since, 60_000)
  assert.deepEqual(ids(found), ['evt_c', 'evt_d'])
  const [first] = found
  assert.ok(first)
  assert.equal(first.headers['content-type'], 'application/json')
  const arrived = { headers: first.headers, body: Buffer.from('{"a":1}'), now: new Date() }
  assert.equal(isSigned(arrived, [plainSecret('a')]), true)
  assert.equal(isSigned(arrived, [plainSecret('b')]), false)
})

test('without news the wait ends with nothing when time is up', async () => {
  await rows.replace({ secrets })
  for (const waitMs of [0, 1]) assert.deepEqual(await openFollow().wait(since, waitMs), [])
})

test('a notification written by another process is found while waiting', async () => {
  await rows.replace({ secrets })
  const follow = openFollow()
  let found: readonly FollowedNotification[] | undefined
  const waited = follow.wait(since, 60_000).then((told) => (found = told))
  await rows.replace({ deliveries: [delivery({ id: 'evt_c' })], secrets })
  await waitUntil('it is told', () => found !== undefined)
  assert.deepEqual(ids(await waited), ['evt_c'])
})

test('a stopping server ends all waits and starts no new ones', async () => {
  await rows.replace({ secrets })
  const follow = openFollow()
  let home = 0
  const waiting = [own, neighbour].map(async (merchantId) => {
    assert.deepEqual(await follow.wait({ ...since, merchantId }, 60_000), [])
    home += 1
  })
  follow.close()
  await waitUntil('all are home', () => home === 2)
  await Promise.all(waiting)
  assert.deepEqual(await follow.wait(since, 60_000), [])
})
