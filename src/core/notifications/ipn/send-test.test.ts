import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  openNotificationRows,
  origins,
  own,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { sql } from '../../../platform/database/sql.ts'
import { bySystem } from '../../audit/audit.ts'
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound.ts'
import { sendTestNotification, type Sample } from './send-test.ts'
import { makeOpenStored } from './stored-secret.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())
beforeEach(() => rows.replace({}))

const now = new Date('2026-11-15T12:00:00Z')
const sample: Sample = {
  merchantId: own,
  mode: 'test',
  event: 'payment.success',
  target: `${origins.one}/ipn`,
  transactionJson: '{"amount":1.10}',
}

async function send(result: OutboundResult, by?: Sample['by']) {
  const asked: OutboundRequest[] = []
  const outcome = await sendTestNotification(
    {
      db: rows.db,
      secrets: testSecrets,
      openStored: makeOpenStored(testSecrets),
      outbound: {
        post: async (request) => {
          asked.push(request)
          return result
        },
        send: async () => Promise.reject(new Error('nobody sends')),
        close: async () => {},
      },
      allowLocal: false,
      baseUrl: 'https://pay.example.com',
      now: () => now,
    },
    { ...sample, ...(by && { by }) },
  )
  const [stored] = await rows.db.query(sql`
    select kind, mode, event, target, origin, body, state, next_try_at from deliveries
    where merchant_id = ${own} and id = ${outcome.id}`)
  const acts = await rows.db.query(sql`
    select action, after from audit_log where merchant_id = ${own} and subject = ${outcome.id}`)
  return { outcome, asked, stored, acts }
}

const received: OutboundResult = { ms: 7, status: 200, retryAfter: undefined, answer: Buffer.from('ok') }
const refused: OutboundResult = { ...received, status: 500 }

test('a sample is tried once, within a request’s time, and kept with its result', async () => {
  for (const [result, state] of [
    [received, 'delivered'],
    [refused, 'failed'],
  ] as const) {
    const { asked, stored, outcome, acts } = await send(result)
    const body = '{"event":"payment.success","amount":1.10}'
    assert.deepEqual(
      asked.map(({ url, body: sent, timeoutMs }) => [url, sent, timeoutMs]),
      [[sample.target, body, 8_000]],
    )
    assert.match(outcome.id, /^evt_/)
    assert.equal(outcome.verdict, state)
    assert.deepEqual(stored, {
      kind: 'ipn',
      mode: 'test',
      event: 'payment.success',
      target: sample.target,
      origin: `${origins.one}/ipn`,
      body,
      state,
      next_try_at: null,
    })
    assert.deepEqual(acts, [], 'a program is not written down')
  }
})

test('a notification sent by a person is audited, with its result', async () => {
  for (const [result, delivered] of [
    [received, true],
    [refused, false],
  ] as const) {
    const { acts } = await send(result, bySystem)
    const told = { mode: 'test', event: 'payment.success', target: sample.target, delivered }
    assert.deepEqual(acts, [{ action: 'notifications.test_sent', after: told }])
  }
})
