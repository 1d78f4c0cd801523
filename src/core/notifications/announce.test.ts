import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openNotificationRows, own, type NotificationRows } from '../../../test/support/notification-rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { erasedEmail } from '../../platform/input/erased.ts'
import { announceAll, ipnBody, type Announcement } from './announce.ts'
import { makeOutbox } from './outbox.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const announcement: Announcement = {
  merchantId: own,
  number: '1'.repeat(24),
  mode: 'live',
  event: 'payment.success',
  callbackUrl: 'https://shop.example:8443/ipn?a=1',
  dataJson: '{"amount":1.10}',
  customer: {
    email: 'ada@example.com',
    firstName: 'Ada',
    language: 'de',
    amountMinor: 110n,
    refundedMinor: 0n,
    currency: 'GBP',
    reference: 'FL1',
    txRef: 'order-1',
    title: 'Tea',
  },
}

type Written = { id: string; kind: string; body: string }

/** What was written, the IPN before the mail. */
async function written(...changes: Partial<Announcement>[]): Promise<Written[]> {
  await rows.replace({})
  await inTransaction(rows.db, async (tx) =>
    announceAll(
      makeOutbox(),
      tx,
      changes.map((change) => ({ ...announcement, ...change })),
    ),
  )
  return rows.db.query<Written>(sql`
    select id, kind, mode, event, number, target, origin, body, state from deliveries
    where merchant_id = ${own} order by kind, target`)
}

function said(row: Written) {
  const { id: _, ...rest } = row
  return rest
}

test('a successful payment notifies the merchant’s server, and sends the customer a receipt', async () => {
  const [ipn, mail, ...more] = await written({})
  assert.ok(ipn && mail)
  assert.deepEqual(more, [])
  assert.match(ipn.id, /^evt_/)
  assert.match(mail.id, /^msg_/)
  const both = { mode: 'live', event: 'payment.success', number: '1'.repeat(24), state: 'waiting' }
  assert.deepEqual(said(ipn), {
    ...both,
    kind: 'ipn',
    target: 'https://shop.example:8443/ipn?a=1',
    origin: 'https://shop.example:8443/ipn',
    body: '{"event":"payment.success","amount":1.10}',
  })
  const { body, ...email } = said(mail)
  assert.deepEqual(email, { ...both, kind: 'mail', target: 'ada@example.com', origin: 'mail' })
  assert.deepEqual(JSON.parse(body), {
    template: 'receipt',
    language: 'de',
    firstName: 'Ada',
    amountMinor: '110',
    refundedMinor: '0',
    currency: 'GBP',
    reference: 'FL1',
    txRef: 'order-1',
    title: 'Tea',
  })
})

test('each event has its e-mail, and an erased customer gets none', async () => {
  const emailsOf = async (event: string, email = 'ada@example.com'): Promise<string[]> =>
    (await written({ event, customer: { ...announcement.customer, email, language: null } }))
      .filter(({ kind }) => kind === 'mail')
      .map(({ body }) => JSON.parse(body) as { template: string; language: string })
      .map(({ template, language }) => `${template} ${language}`)
  assert.deepEqual(await emailsOf('payment.success'), ['receipt en'])
  assert.deepEqual(await emailsOf('refund.success'), ['refund en'])
  assert.deepEqual(await emailsOf('payment.failed'), ['failure en'])
  assert.deepEqual(await emailsOf('payment.cancelled'), [])
  assert.deepEqual(await emailsOf('refund.success', erasedEmail), [])
})

test('in test mode e-mails aren’t sent, and webhooks without a URL are kept for listen', async () => {
  const event = 'payment.cancelled'
  const longHost = `https://${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(62)}.ee/ipn`
  const longestHost = longHost.replace('.ee/', '.e/')
  assert.equal(new URL(longestHost).hostname.length, 253)
  const ipnOf = async (mode: 'test' | 'live', callbackUrl: string | null) =>
    (await written({ mode, event, callbackUrl })).map((row) => {
      const { target, origin, state } = row as unknown as { target: string; origin: string; state: string }
      return { target, origin, state }
    })
  const kept = { target: '', origin: '', state: 'kept' }
  assert.deepEqual(await ipnOf('test', null), [kept])
  assert.deepEqual(await ipnOf('live', null), [])
  assert.deepEqual(await ipnOf('test', longHost), [kept])
  assert.deepEqual(await ipnOf('live', longHost), [])
  const waiting = { target: longestHost, origin: longestHost, state: 'waiting' }
  assert.deepEqual(await ipnOf('live', longestHost), [waiting])
  assert.deepEqual(await ipnOf('test', longestHost), [waiting])
  const states = (await written({ mode: 'test' })).map((row) => (row as unknown as { state: string }).state)
  assert.deepEqual(states, ['waiting', 'kept'])
})

test('several notifications are written in one statement, and none if there is nothing to send', async () => {
  const two = await written({ event: 'payment.expired' }, { callbackUrl: null, event: 'payment.failed' })
  assert.deepEqual(
    two.map(({ kind }) => kind),
    ['ipn', 'mail'],
  )
  assert.deepEqual(await written(), [])
})

test('the event name is inserted before the payload, byte for byte', () => {
  assert.equal(ipnBody('a"b', '{"n":1.10}'), '{"event":"a\\"b","n":1.10}')
})
