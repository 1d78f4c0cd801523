import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { customerToErase } from '../../../../test/support/customer-to-erase.ts'
import {
  delivery,
  moment,
  oneTry,
  openNotificationRows,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { erasedEmail, makeRedact } from '../../../platform/input/erased.ts'
import { personalDeliveries, personalEndpoints } from './personal.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const number = '1'.repeat(24)
const email = 'Ada@example.com'
const redact = makeRedact(email, ['Ada'])
const asked = customerToErase({ merchantId: own, numbers: [number], email, redact, redactStrictly: redact })

test('erasing a person redacts payloads and stops their e-mails, but webhooks are still sent', async () => {
  const mail = { kind: 'mail', mode: 'live', number, origin: 'mail', target: 'ada@EXAMPLE.com' } as const
  const body = JSON.stringify({ name: 'Ada', amount: 5 })
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', number, target: 'https://one.example/ipn?by=ada@example.com', body }),
      delivery({ id: 'msg_ended', ...mail, state: 'delivered', body }),
      delivery({ id: 'msg_merchant', ...mail, target: 'merchant', body }),
      delivery({ id: 'msg_paused', ...mail, state: 'paused', body }),
      delivery({ id: 'msg_waiting', ...mail, body }),
      delivery({ id: 'evt_other', body }),
    ],
    tries: [
      oneTry({ delivery_id: 'evt_a', answer: 'for Ada' }),
      oneTry({ delivery_id: 'evt_other', answer: 'for Ada' }),
    ],
  })
  assert.equal(await inTransaction(rows.db, async (tx) => personalDeliveries.erase(tx, asked)), 5)
  const told = await rows.db.query<{ id: string; target: string; body: string; state: string }>(sql`
    select id, target, body, state from deliveries where merchant_id = ${own} order by id`)
  assert.deepEqual(
    told.map(({ id, target, state }) => [id, target, state]),
    [
      ['evt_a', `https://one.example/ipn?by=${erasedEmail}`, 'waiting'],
      ['evt_other', 'https://one.example/ipn', 'waiting'],
      ['msg_ended', erasedEmail, 'delivered'],
      ['msg_merchant', 'merchant', 'waiting'],
      ['msg_paused', erasedEmail, 'skipped'],
      ['msg_waiting', erasedEmail, 'skipped'],
    ],
  )
  for (const one of told) assert.equal(one.body.includes('Ada'), one.id === 'evt_other', one.id)
  const answers = await rows.db.query(sql`
    select delivery_id, answer from delivery_attempts where merchant_id = ${own} order by delivery_id`)
  assert.deepEqual(answers, [
    { delivery_id: 'evt_a', answer: null },
    { delivery_id: 'evt_other', answer: 'for Ada' },
  ])
})

const inPath = 'https://one.example/of/Ada%40example.com'
const erasedPath = `https://one.example/of/${erasedEmail}`

test('a receiver gets the erased name of its deliveries and stays paused, but keeps its old name for deliveries of others', async () => {
  const long = `https://one.example/${'x'.repeat(960)}/Ada@example.com`
  const paused = { merchant_id: own, mode: 'test', failing_since: null, last_failed_at: null } as const
  const at = moment(1)
  await rows.replace({
    deliveries: [
      delivery({ id: 'evt_a', number, target: `${inPath}?x`, origin: inPath, state: 'paused' }),
      delivery({ id: 'evt_cut', number, target: long, origin: long.slice(0, 990) }),
      delivery({
        id: 'evt_host',
        number,
        target: 'https://ada.example/?ada',
        origin: 'https://ada.example/',
      }),
      delivery({
        id: 'evt_other',
        target: 'https://two.example/of/Ada',
        origin: 'https://two.example/of/Ada',
      }),
      delivery({
        id: 'evt_own',
        number,
        target: 'https://two.example/of/Ada',
        origin: 'https://two.example/of/Ada',
      }),
    ],
    receivers: [
      { ...paused, origin: inPath, paused_at: at },
      { ...paused, origin: long.slice(0, 990), paused_at: at },
      { ...paused, origin: 'https://three.example/Ada@example.com', paused_at: at },
      { ...paused, origin: 'https://two.example/of/Ada', paused_at: at },
    ],
  })
  await inTransaction(rows.db, async (tx) => personalDeliveries.erase(tx, asked))
  const origins = await rows.db.query<{ id: string; origin: string }>(sql`
    select id, origin from deliveries where merchant_id = ${own} order by id`)
  assert.deepEqual(
    origins.map(({ id, origin }) => [id, origin]),
    [
      ['evt_a', erasedPath],
      ['evt_cut', `https://one.example/${'x'.repeat(960)}/erased@florin.invalid`.slice(0, 1_000)],
      ['evt_host', 'https://erased.invalid/'],
      ['evt_other', 'https://two.example/of/Ada'],
      ['evt_own', 'https://two.example/of/erased'],
    ],
  )
  const receivers = await rows.db.query<{ origin: string; paused_at: string }>(sql`
    select origin, paused_at from receivers where merchant_id = ${own} order by origin`)
  assert.deepEqual(
    receivers.map(({ origin, paused_at: pausedAt }) => [origin, pausedAt === at]),
    [
      erasedPath,
      `https://one.example/${'x'.repeat(960)}/erased@florin.invalid`.slice(0, 1_000),
      `https://three.example/${erasedEmail}`,
      'https://two.example/of/Ada',
      'https://two.example/of/erased',
    ].map((origin) => [origin, true]),
  )
})

test('payments that grew old take no address from other receivers and endpoints', async () => {
  const old = { ...asked, isWholePerson: false }
  const paused = { merchant_id: own, mode: 'test', failing_since: null, last_failed_at: null } as const
  await rows.replace({ receivers: [{ ...paused, origin: inPath, paused_at: moment(1) }] })
  await rows.db.query(sql`
    insert into endpoints (merchant_id, id, mode, slot, url) values (${own}, 'ep_1', 'test', 1, ${inPath})`)
  const erase = async (of: typeof asked): Promise<number> =>
    inTransaction(rows.db, async (tx) => {
      const count = await personalEndpoints.erase(tx, of)
      await personalDeliveries.erase(tx, of)
      return count
    })
  const read = async (): Promise<object[]> =>
    rows.db.query(sql`
      select origin, url from receivers join endpoints using (merchant_id) where merchant_id = ${own}`)
  assert.equal(await erase(old), 0)
  assert.deepEqual(await read(), [{ origin: inPath, url: inPath }])
  assert.equal((await personalEndpoints.read(rows.db, asked)).length, 1)
  assert.equal(await erase(asked), 1)
  assert.deepEqual(await read(), [{ origin: erasedPath, url: erasedPath }])
})

test('two endpoints that differ only in the erased person both stay', async () => {
  await rows.db.query(sql`delete from endpoints where merchant_id = ${own}`)
  await rows.db.query(sql`
    insert into endpoints (merchant_id, id, mode, slot, url)
    values (${own}, 'ep_1', 'live', 1, ${inPath}), (${own}, 'ep_2', 'live', 2, ${erasedPath})`)
  await inTransaction(rows.db, async (tx) => personalEndpoints.erase(tx, asked))
  const urls = await rows.db.query<{ url: string }>(sql`
    select url from endpoints where merchant_id = ${own} order by id`)
  assert.deepEqual(
    urls.map(({ url }) => url),
    [`${erasedPath}?ep_1`, erasedPath],
  )
})
