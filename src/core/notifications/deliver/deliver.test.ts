import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import {
  delivery,
  moment,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { sql } from '../../../platform/database/sql.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import { makeLog } from '../../../platform/http/log.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { makeOpenStored } from '../ipn/stored-secret.ts'
import { makeOutbox } from '../outbox.ts'
import { limits, type Queue } from '../queues.ts'
import type { Claim } from '../store.ts'
import { Deliverer } from './deliver.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const queue: Queue = { merchantId: own, mode: 'test', origin: origins.one }
const due = (count: number) =>
  Array.from({ length: count }, (_, at) => delivery({ id: `evt_${at}`, tries: 0 }))

/** A deliverer whose receivers answer when the test says so, and what it says of itself. */
function openDeliverer(t: TestContext) {
  const { db } = rows
  const lines: string[] = []
  const tried: string[] = []
  const held: { readonly url: string; readonly answer: () => void }[] = []
  const post = async (url: string): Promise<void> =>
    new Promise((resolve) => held.push({ url, answer: () => resolve() }))
  const now = (): Date => new Date(moment(60))
  const shared = { db, now, secrets: testSecrets, baseUrl: 'https://pay.example.com' }
  const deliverer = new Deliverer({
    db,
    now,
    outbox: makeOutbox(),
    log: makeLog('info', { write: (line: string) => void lines.push(line) }),
    ipn: {
      ...shared,
      openStored: makeOpenStored(testSecrets),
      allowLocal: false,
      outbound: {
        post: async ({ url }) => {
          await post(url)
          return { ms: 7, status: 200, retryAfter: undefined, answer: Buffer.from('ok') }
        },
        send: async () => Promise.reject(new Error('nobody sends')),
        close: async () => {},
      },
    },
    mail: {
      ...shared,
      findMerchant: async () =>
        ({ id: own, name: 'Corner shop', email: null, brand: plainBrand }) as Merchant,
      from: 'no-reply@pay.example.com',
      writers: [],
      post: async ({ to }) => post(to),
    },
    metrics: { tried: ({ id }, { verdict }) => tried.push(`${id} ${verdict}`), gaveUp: () => {} },
  })
  const answerAll = (): void => {
    for (const one of held) one.answer()
  }
  /** Returns what ends it. One that went on running would take the deliveries of the next test. */
  const start = (): (() => Promise<void>) => {
    const running = deliverer.start()
    t.after(async () => {
      answerAll()
      await running.stop()
    })
    return async () => running.stop()
  }
  return { deliverer, start, lines, tried, held, answerAll }
}

async function stateOf(id: string): Promise<string | undefined> {
  const found = await rows.db.query<{ state: string }>(sql`
    select state from deliveries where merchant_id = ${own} and id = ${id}`)
  return found[0]?.state
}

/** Whatever is carried from now on was not found by looking. */
function stopLooking(t: TestContext): void {
  t.mock.method(rows.db, 'look', async () => Promise.reject(new DatabaseUnavailable(false)))
}

test('nothing is delivered before the start or after the stop, which waits for running attempts', async (t) => {
  const { deliverer, start, held, tried, answerAll } = openDeliverer(t)
  await rows.replace({ deliveries: due(1) })
  assert.equal(deliverer.isRunning, false)
  assert.equal(deliverer.reserve(queue), undefined)
  deliverer.ask(queue)
  await deliverer.look()
  assert.equal(held.length, 0)

  const stop = start()
  assert.equal(deliverer.isRunning, true)
  await waitUntil('it is tried', () => held.length === 1)
  let hasEnded = false
  const ended = stop().then(() => (hasEnded = true))
  await deliverer.look()
  assert.deepEqual([hasEnded, deliverer.isRunning, tried], [false, false, []])
  answerAll()
  await ended
  assert.equal(await stateOf('evt_0'), 'delivered')
  assert.deepEqual(tried, ['evt_0 delivered'])
  await rows.replace({ deliveries: due(1) })
  deliverer.ask(queue)
  await deliverer.look()
  assert.equal(held.length, 1)
})

test('webhooks and e-mail are delivered separately', async (t) => {
  const { start, held, tried, answerAll } = openDeliverer(t)
  const email = JSON.stringify({
    template: 'receipt',
    language: 'en',
    firstName: 'Ada',
    amountMinor: '500',
    refundedMinor: '0',
    currency: 'GBP',
    reference: 'FL1',
    txRef: 'order-1',
  })
  const mail = {
    kind: 'mail',
    mode: 'live',
    origin: 'mail',
    target: 'ada@example.com',
    body: email,
  } as const
  await rows.replace({ deliveries: [...due(1), delivery({ id: 'msg_0', tries: 0, ...mail })] })
  const stop = start()
  await waitUntil('both are tried', () => held.length === 2)
  assert.deepEqual(held.map(({ url }) => url).toSorted(), ['ada@example.com', `${origins.one}/ipn`])
  answerAll()
  await stop()
  assert.deepEqual(tried.toSorted(), ['evt_0 delivered', 'msg_0 delivered'])
})

test('a receiver’s concurrent attempts are limited, and the next start when half are answered', async (t) => {
  const { deliverer, start, held, answerAll } = openDeliverer(t)
  const half = limits.triesPerQueue / 2
  await rows.replace({ deliveries: due(limits.triesPerQueue + 10) })
  const stop = start()
  await waitUntil('its room is full', () => held.length === limits.triesPerQueue)
  await deliverer.look()
  assert.equal(held.length, limits.triesPerQueue)
  stopLooking(t)
  for (const { answer } of held.slice(0, half)) answer()
  await waitUntil('the rest is tried', () => held.length === limits.triesPerQueue + 10)
  answerAll()
  await stop()
})

test('reserved slots go to waiting deliveries once they are released', async (t) => {
  const { deliverer, start, held, answerAll } = openDeliverer(t)
  await rows.replace({})
  const stop = start()
  await deliverer.look()
  const reserved = Array.from({ length: limits.triesPerQueue }, () => deliverer.reserve(queue))
  assert.ok(reserved.every((one) => one !== undefined))
  assert.equal(deliverer.reserve(queue), undefined)
  await rows.replace({ deliveries: due(1) })
  stopLooking(t)
  deliverer.ask(queue)
  for (const one of reserved) one.settle(undefined)
  await waitUntil('it is tried', () => held.length === 1)
  answerAll()
  await stop()
})

test('an attempt that would start over ten seconds after its claim is left to the next claim', async (t) => {
  const { deliverer, start, held, tried, answerAll } = openDeliverer(t)
  await rows.replace({ deliveries: due(2).map((one) => ({ ...one, tries: 1, next_try_at: moment(90) })) })
  const claimOf = (id: string): Claim => ({
    ...delivery({ id }),
    kind: 'ipn',
    tries: 1,
    endpoint_id: null,
    dialect: null,
    secrets: ['whsec_b25l'],
  })
  const stop = start()
  await deliverer.look()
  // Whole, so that no fraction is lost on the way.
  let nowMs = 1_000
  t.mock.method(performance, 'now', () => nowMs)
  const [late, inTime] = [deliverer.reserve(queue), deliverer.reserve(queue)]
  nowMs += 10_000
  inTime?.settle(claimOf('evt_0'))
  await waitUntil('it is tried', () => held.length === 1)
  nowMs += 1
  late?.settle(claimOf('evt_1'))
  answerAll()
  await stop()
  assert.deepEqual(tried, ['evt_0 delivered'])
  assert.equal(await stateOf('evt_1'), 'waiting')
})

test('while the search over all merchants fails, merchants with recent deliveries are still visited', async (t) => {
  for (const meet of ['asked', 'reserved', 'found'] as const) {
    const { deliverer, start, held, lines, answerAll } = openDeliverer(t)
    await rows.replace(meet === 'found' ? { deliveries: due(1) } : {})
    const stop = start()
    await deliverer.look()
    if (meet === 'asked') deliverer.ask(queue)
    if (meet === 'reserved') deliverer.reserve(queue)?.settle(undefined)
    if (meet === 'found') {
      await waitUntil('it was found', () => held.length === 1)
      answerAll()
      // A result that comes later would be taken for one of the next row of this name.
      await waitUntil('it arrived', async () => (await stateOf('evt_0')) === 'delivered')
    }
    const heldBefore = held.length
    let trouble = new Error('a node is away')
    const look = t.mock.method(rows.db, 'look', async () => Promise.reject(trouble))
    await rows.replace({ deliveries: due(1) })
    await deliverer.look()
    await waitUntil(`one that was ${meet} is visited`, () => held.length === heldBefore + 1)
    assert.match(lines.join(''), /checking merchants that had some recently/)
    trouble = new DatabaseUnavailable(false)
    await assert.rejects(deliverer.look(), DatabaseUnavailable, 'nobody can be visited')
    look.mock.restore()
    answerAll()
    await stop()
  }
})

test('a failed search is logged, and the next one still runs', async (t) => {
  const { start, held, lines, answerAll } = openDeliverer(t)
  const look = t.mock.method(rows.db, 'look', async () => Promise.reject(new Error('a node is away')))
  const stop = start()
  await waitUntil('it is told', () => lines.length > 0)
  assert.match(lines.join(''), /"Could not look for due deliveries"/)
  look.mock.restore()
  await rows.replace({ deliveries: due(1) })
  await waitUntil('it is tried', () => held.length === 1)
  answerAll()
  await stop()
})

test('the pause between searches is a second, ten times the search time, or the visiting time', async (t) => {
  const { deliverer, start, held } = openDeliverer(t)
  let nowMs = 1_000
  let [findMs, visitMs] = [0, 0]
  t.mock.method(performance, 'now', () => nowMs)
  const later = t.mock.method(globalThis, 'setTimeout')
  const look = rows.db.look.bind(rows.db)
  const query = rows.db.query.bind(rows.db)
  t.mock.method(rows.db, 'look', async (...given: Parameters<typeof look>) => {
    nowMs += findMs
    return look(...given)
  })
  t.mock.method(rows.db, 'query', async (...given: Parameters<typeof query>) => {
    if (given[0].text.includes('recursive queues')) nowMs += visitMs
    return query(...given)
  })
  for (const [finding, visiting, pauseMs] of [
    [99, 999, 1_000],
    [150, 0, 1_500],
    [150, 1_600, 1_600],
  ] as const) {
    ;[findMs, visitMs] = [finding, visiting]
    await rows.replace({ deliveries: due(1) })
    const stop = start()
    const isPlanned = (): boolean => later.mock.calls.some(({ arguments: [, ms] }) => ms === pauseMs)
    await waitUntil(`the next look is in ${pauseMs} ms`, isPlanned)
    await waitUntil('it is tried', () => held.length > 0)
    held.pop()?.answer()
    await stop()
  }
  findMs = 40
  assert.deepEqual(await deliverer.look(), { findMs: 40 })
})
