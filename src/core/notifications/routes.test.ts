import assert from 'node:assert/strict'
import { after, before, beforeEach, test, type TestContext } from 'node:test'
import { makeBareServer } from '../../../test/support/bare-server.ts'
import {
  delivery,
  moment,
  openNotificationRows,
  origins,
  own,
  plainSecret,
  receiver,
  secret,
  type NotificationRows,
} from '../../../test/support/notification-rows.ts'
import { paymentNumber } from '../../../test/support/rows.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { makeRateLimit } from '../../platform/http/rate-limit.ts'
import type { Authenticator, Caller } from '../merchants/authenticate.ts'
import type { OutboundResult } from '../../platform/outbound/outbound.ts'
import type { FollowedNotification, Since } from './follow.ts'
import { makeOpenStored } from './ipn/stored-secret.ts'
import type { Notifications } from './notifications.ts'
import { makeOutbox } from './outbox.ts'
import { addNotifications } from './routes.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = paymentNumber(1)
beforeEach(async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', number, state: 'failed', finished_at: moment(5) }),
      delivery({ id: 'evt_waits', state: 'paused' }),
    ],
    receivers: [receiver({ paused_at: moment(1) })],
    secrets: [secret({ id: 'whs_a' })],
  })
})

function answered(status: number): OutboundResult {
  return { status, ms: 7, answer: Buffer.from('ok'), retryAfter: undefined }
}

type Waited = { readonly asked: Since; readonly waitMs: number }

/** The routes in front of a merchant whose key says its mode, and what was asked behind them. */
function open(t: TestContext, { result = answered(200), misses = 100 } = {}) {
  const seen = { waits: [] as Waited[], queues: [] as unknown[], samples: [] as unknown[], isClosed: false }
  const outbound = {
    post: async () => result,
    send: async () => assert.fail('nobody sends'),
    close: async () => {},
  }
  const now = (): Date => new Date(moment(60))
  const { db } = rows
  const openStored = makeOpenStored(testSecrets)
  const found: FollowedNotification[] = []
  const notifications = {
    db,
    secrets: testSecrets,
    outbox: makeOutbox(),
    now,
    deliverer: { ask: (queue: unknown) => void seen.queues.push(queue) },
    ipn: { db, secrets: testSecrets, openStored, outbound, allowLocal: false, baseUrl: origins.two, now },
    follow: {
      wait: async (asked: Since, waitMs: number) => {
        seen.waits.push({ asked, waitMs })
        return found
      },
      close: () => {
        seen.isClosed = true
      },
    },
  } as unknown as Notifications
  const callerOf = (header: string | undefined) =>
    ({ merchant: { id: own }, mode: header?.includes('live') ? 'live' : 'test', keyId: 'key_1' }) as Caller
  const authenticator = { recallSecretKey: callerOf } as unknown as Authenticator
  const { server } = makeBareServer(t)
  addNotifications(server, {
    notifications,
    authenticator,
    keyLimit: makeRateLimit({ perSecond: 100, burst: 100 }, () => 0),
    missLimit: makeRateLimit({ perSecond: 1, burst: misses }, () => 0),
    paymentFromPath: async (_caller, request) => {
      assert.equal(request.params.tx_ref, 'order-1')
      return { number }
    },
    events: ['payment.success', 'payment.failed', 'payment.expired'].map((name) => ({
      name,
      sample(mode) {
        seen.samples.push([mode, name])
        return '{"amount":1}'
      },
    })),
  })
  const ask = async (method: 'GET' | 'POST', url: string, body?: object, mode = 'test') => {
    const authorization = `Bearer ${mode}`
    const answer = await server.inject({ method, url, headers: { authorization }, ...(body && { body }) })
    const { message, data, errors } = answer.json<Record<string, unknown>>()
    return { status: answer.statusCode, message, data, errors }
  }
  return { seen, ask, server }
}

test('a payment’s notifications are listed, and one of them is resent', async (t) => {
  const { ask, seen } = open(t, { misses: 1 })
  const listed = await ask('GET', '/api/transaction/order-1/notifications')
  assert.deepEqual(
    [listed.status, listed.message, (listed.data as { id: string }[]).map(({ id }) => id)],
    [200, 'Notifications', ['evt_a']],
  )
  const resend = async (id: string) => ask('POST', `/api/transaction/order-1/notifications/${id}/resend`)
  const sent = await resend('evt_a')
  assert.deepEqual([sent.message, sent.data], ['Notification will be sent again', { id: 'evt_a' }])
  assert.deepEqual(seen.queues, [{ merchantId: own, mode: 'test', origin: origins.one }])
  assert.equal((await resend('evt_x')).status, 404)
  assert.equal((await resend('evt_x')).status, 429, 'who guesses has to wait')
})

test('sending a sample reports whether it was received', async (t) => {
  for (const [status, delivered, message] of [
    [204, true, 'Sample received'],
    [500, false, 'Sample was not received'],
  ] as const) {
    const { ask, seen } = open(t, { result: answered(status) })
    const body = { callback_url: `${origins.one}/ipn`, event: 'payment.failed' }
    const sample = await ask('POST', '/api/notifications/test', body, 'live')
    const { id, ...told } = sample.data as Record<string, unknown>
    assert.match(String(id), /^evt_/)
    assert.equal(sample.message, message)
    assert.deepEqual([told['delivered'], told['http_status'], told['ms']], [delivered, status, 7])
    assert.deepEqual(seen.samples, [['live', 'payment.failed']])
  }
})

test('a receiver is resumed by any of its own URLs, by the calling key', async (t) => {
  const { ask } = open(t)
  const resumed = await ask('POST', '/api/notifications/resume', { origin: `${origins.one}/ipn?a=1` })
  assert.deepEqual(
    [resumed.message, resumed.data],
    ['Receiver resumed', { origin: origins.one, deliveries: 1 }],
  )
  const [due] = await rows.db.query(sql`
    select state, next_try_at from deliveries where merchant_id = ${own} and id = 'evt_waits'`)
  assert.deepEqual(due, { state: 'waiting', next_try_at: moment(60) })
  const [act] = await rows.db.query(sql`
    select actor_kind, actor from audit_log where merchant_id = ${own} and action = 'receiver.resumed'`)
  assert.deepEqual(act, { actor_kind: 'key', actor: 'key_1' })
  for (const [body, mistake] of [
    [{}, 'origin is required'],
    [{ origin: 'ftp://shop.example' }, /^origin must be/],
    [{ origin: `https://shop.example/${'x'.repeat(3_000)}` }, /^origin must be at most/],
  ] as const) {
    const refused = await ask('POST', '/api/notifications/resume', body)
    assert.equal(refused.status, 400, JSON.stringify(refused))
    assert.deepEqual(Object.keys(refused.errors as object), ['origin'])
    assert.match(String(refused.message), new RegExp(mistake))
  }
})

test('a developer can listen in test mode, for as long as proxies allow', async (t) => {
  const { ask, seen } = open(t)
  const listen = async (query: string, mode = 'test') =>
    ask('GET', `/api/notifications/listen${query}`, undefined, mode)
  const heard = await listen(`?since=${moment(3)}&after=evt_a&wait=7`)
  const { now, ...told } = heard.data as Record<string, unknown>
  assert.match(String(now), /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.deepEqual(told, { secret: plainSecret('a'), notifications: [] })
  assert.deepEqual(seen.waits.splice(0), [
    { asked: { merchantId: own, since: moment(3), after: 'evt_a' }, waitMs: 7_000 },
  ])
  for (const [query, waitMs] of [
    ['', 25_000],
    ['?wait=25', 25_000],
    ['?wait=0', 0],
  ] as const) {
    assert.equal((await listen(query)).status, 200)
    const [waited] = seen.waits.splice(0)
    assert.deepEqual([waited?.waitMs, waited?.asked.after], [waitMs, ''])
  }
  for (const wait of ['26', '-1', '1.5', 'soon', '00025']) {
    const refused = await listen(`?wait=${wait}`)
    assert.deepEqual([refused.status, Object.keys(refused.errors as object)], [400, ['wait']], wait)
  }
  assert.equal((await listen('?since=yesterday')).status, 400)
  const live = await listen('', 'live')
  assert.equal(live.message, 'florin listen works in test mode only: use a test key')
  assert.deepEqual(seen.waits, [])
})

test('a stopping server ends all listen requests', async (t) => {
  const { seen, server } = open(t)
  await server.ready()
  assert.equal(seen.isClosed, false)
  await server.close()
  assert.equal(seen.isClosed, true)
})
