import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  oneTry,
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { browseDeliveries, readDelivery } from './browse-deliveries.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const of = { merchantId: own, mode: 'test' } as const

/** Numbered by their age, the newest first. */
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => delivery({ id: `evt_${at}`, created_at: moment(-at) }))

test('a page has 25 deliveries, and its cursor starts the next', async () => {
  for (const [count, pages] of [
    [25, [25]],
    [26, [25, 1]],
    [50, [25, 25]],
    [51, [25, 25, 1]],
  ] as const) {
    await rows.replace({ deliveries: many(count) })
    const seen: string[] = []
    const lengths: number[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await browseDeliveries(rows.db, of, cursor === '' ? {} : { cursor })
      lengths.push(page.deliveries.length)
      seen.push(...page.deliveries.map(({ id }) => id))
      assert.equal(page.isCutShort, false)
      cursor = page.nextCursor
    }
    assert.deepEqual(lengths, pages)
    assert.deepEqual(
      seen,
      many(count).map(({ id }) => id),
    )
  }
})

test('a rare state is searched in a limited number of rows, and the search can be continued', async () => {
  const deliveries = [...many(7), delivery({ id: 'evt_rare', state: 'failed', created_at: moment(-7) })]
  await rows.replace({ deliveries })
  const look = async (query: object) => {
    const { deliveries: found, nextCursor, isCutShort } = await browseDeliveries(rows.db, of, query, 5)
    return { found: found.map(({ id }) => id), nextCursor, isCutShort }
  }
  const first = await look({ state: 'failed' })
  assert.deepEqual([first.found, first.isCutShort], [[], true])
  const second = await look({ state: 'failed', cursor: first.nextCursor })
  assert.deepEqual(second, { found: ['evt_rare'], nextCursor: undefined, isCutShort: false })
})

test('each filter excludes the other deliveries', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', created_at: moment(3) }),
      delivery({ id: 'evt_b', created_at: moment(2), event: 'refund.failed' }),
      delivery({ id: 'evt_c', created_at: moment(1), origin: origins.two, state: 'delivered' }),
      delivery({ id: 'evt_live', mode: 'live' }),
      delivery({ id: 'evt_theirs', merchant_id: neighbour }),
      delivery({ id: 'msg_a', kind: 'mail' }),
    ],
  })
  const found = async (query: object): Promise<string[]> =>
    (await browseDeliveries(rows.db, of, query)).deliveries.map(({ id }) => id)
  assert.deepEqual(await found({}), ['evt_a', 'evt_b', 'evt_c'])
  assert.deepEqual(await found({ state: 'delivered' }), ['evt_c'])
  assert.deepEqual(await found({ event: 'refund.failed' }), ['evt_b'])
  assert.deepEqual(await found({ receiver: origins.two }), ['evt_c'])
  assert.deepEqual(await found({ created_from: moment(2) }), ['evt_a', 'evt_b'])
  assert.deepEqual(await found({ created_to: moment(2) }), ['evt_c'])
})

test('impossible filters are refused by name', async () => {
  const refused = async (query: object): Promise<unknown> =>
    browseDeliveries(rows.db, of, query).catch((error: { errors: object }) => Object.entries(error.errors))
  assert.deepEqual(await refused({ state: 'odd' }), [
    ['state', ['state must be one of waiting, delivered, failed, paused, skipped, kept']],
  ])
  assert.deepEqual(
    ((await refused({ cursor: 'odd', created_from: 'odd', event: 'x'.repeat(101) })) as [string][]).map(
      ([field]) => field,
    ),
    ['cursor', 'event', 'created_from'],
  )
})

test('a delivery is read with every attempt; another merchant’s, mode’s or a mail is not found', async () => {
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', number: null }),
      delivery({ id: 'evt_live', mode: 'live' }),
      delivery({ id: 'evt_theirs', merchant_id: neighbour }),
      delivery({ id: 'msg_a', kind: 'mail' }),
    ],
    tries: [
      oneTry({ delivery_id: 'evt_a', attempt: 2, status: 200, answer: 'ok' }),
      oneTry({ delivery_id: 'evt_a', status: null, error: 'timeout' }),
      oneTry({ delivery_id: 'evt_live' }),
    ],
  })
  const { attempts, ...whole } = await readDelivery(rows.db, { ...of, id: 'evt_a' })
  assert.deepEqual([whole.id, whole.target, whole.body], ['evt_a', `${origins.one}/ipn`, '{}'])
  assert.deepEqual(attempts, [
    { attempt: 1, at: moment(0), ms: 10, status: null, error: 'timeout', answer: null },
    { attempt: 2, at: moment(0), ms: 10, status: 200, error: null, answer: 'ok' },
  ])
  for (const id of ['evt_live', 'evt_theirs', 'msg_a', 'evt_unknown', 'evt a', 'x'.repeat(61), '']) {
    await assert.rejects(readDelivery(rows.db, { ...of, id }), { code: 'not_found' }, id)
  }
})
