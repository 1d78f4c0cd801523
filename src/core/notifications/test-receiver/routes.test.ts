import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { makeBareServer } from '../../../../test/support/bare-server.ts'
import {
  moment,
  openNotificationRows,
  own,
  plainSecret,
  secret,
  type NotificationRows,
} from '../../../../test/support/notification-rows.ts'
import { testSecrets } from '../../../../test/support/secrets.ts'
import { makeRateLimit } from '../../../platform/http/rate-limit.ts'
import { signatureHeaders } from '../ipn/signature.ts'
import type { Notifications } from '../notifications.ts'
import { addTestReceiver } from './routes.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
  await rows.replace({
    secrets: [
      secret({ id: 'whs_a' }),
      secret({ id: 'whs_live', mode: 'live', secret: plainSecret('b') }),
      secret({ id: 'whs_old', ends_at: moment(0), secret: plainSecret('c') }),
    ],
  })
})
after(() => rows.close())

const at = new Date(moment(60))
const body = '{"amount": 1.10}'

function open(t: TestContext) {
  const notifications = { db: rows.db, secrets: testSecrets, now: () => at } as unknown as Notifications
  const { server } = makeBareServer(t)
  addTestReceiver(server, {
    notifications,
    forgedLimit: makeRateLimit({ perSecond: 1, burst: 3 }, () => 0),
  })
  return async (letter: string, { merchant = String(own), sent = body } = {}) => {
    const headers = signatureHeaders({ id: 'evt_a', body, at }, [plainSecret(letter)])
    const answer = await server.inject({
      method: 'POST',
      url: `/test-receiver/${merchant}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    })
    return [answer.statusCode, answer.json<{ message: string }>().message]
  }
}

test('notifications signed for this merchant in test mode are received byte for byte', async (t) => {
  const send = open(t)
  assert.deepEqual(await send('a'), [200, 'Received with a valid signature'])
})

test('a forged notification is refused, and repeated forgeries are rate limited', async (t) => {
  const send = open(t)
  const forged = [401, "The signature doesn't match the webhook secret of test mode"]
  assert.deepEqual(await send('b'), forged, 'that of live mode is another one')
  assert.deepEqual(await send('c'), forged, 'this one has ended')
  assert.deepEqual(await send('a', { sent: '{"amount":1.10}' }), forged)
  assert.deepEqual((await send('b'))[0], 429)
  assert.equal((await send('a'))[0], 200, 'what is signed is always taken')
})

test('each merchant has a receiver, and nothing else does', async (t) => {
  const send = open(t)
  for (const merchant of ['0', '1234567', '123456789', '01234567', 'nobody'])
    assert.equal((await send('a', { merchant }))[0], 404, merchant)
  assert.equal((await send('a', { merchant: '10000009' }))[0], 401)
})
