import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { openHouse, type House } from '../../../../test/support/house.ts'
import { drawDeliveryId } from '../delivery-id.ts'
import { insertDeliveries } from '../store.ts'
import { findNotifications, readBacklog, readNotification } from './find-notifications.ts'
import { exactly } from '../receiver-of.ts'
import { countToResend, resendById, resendMany, type ResendFilter } from './resend-many.ts'

let house: House
let other: number
before(async () => {
  house = await openHouse()
  other = await createMerchant(house.db, { name: 'Other shop' })
})
after(() => house.close())

type Wanted = {
  merchantId?: number
  mode?: 'test' | 'live'
  kind?: 'ipn' | 'mail'
  state?: string
  at?: string
}

/** `count` deliveries that have ended, all at the same moment: their order is that of their ids. */
async function write(count: number, origin: string, wanted: Wanted = {}): Promise<void> {
  const { merchantId = house.merchantId, mode = 'test', kind = 'ipn', state = 'failed' } = wanted
  const deliveries = Array.from({ length: count }, () => ({
    merchant_id: merchantId,
    id: drawDeliveryId('evt'),
    kind,
    mode,
    event: 'payment.success',
    number: null,
    target: `${origin}/ipn`,
    origin,
    body: '{}',
    state: 'kept' as const,
  }))
  await inTransaction(house.db, (tx) => insertDeliveries(tx, merchantId, deliveries))
  await house.db.query(sql`
    update deliveries set state = ${state}, created_at = coalesce(${wanted.at ?? null}::timestamptz, created_at)
    where merchant_id = ${merchantId} and id = any(${deliveries.map(({ id }) => id)})`)
}

const filter = (more: Partial<ResendFilter> = {}): ResendFilter => ({
  merchantId: house.merchantId,
  mode: 'test',
  state: 'failed',
  ...more,
})

const stateCount = async (merchantId: number, origin: string): Promise<Record<string, number>> => {
  const rows = await house.db.query<{ state: string; count: number }>(sql`
    select state, count(*)::integer as count from deliveries
    where merchant_id = ${merchantId} and origin = ${origin} group by state`)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('all failed deliveries are resent, even more than one statement’s worth, for one merchant only', async () => {
  const origin = 'https://many.example.com'
  await write(1_203, origin)
  await write(3, origin, { merchantId: other })
  await write(2, origin, { mode: 'live' })
  await write(4, origin, { kind: 'mail' })
  await write(5, 'https://second.example.com')
  assert.deepEqual(await countToResend(house.db, filter({ receiver: exactly(origin) })), [
    { origin, count: 1_203 },
  ])
  assert.equal(await resendMany(house.db, filter({ receiver: exactly(origin) })), 1_203)
  assert.deepEqual(await stateCount(house.merchantId, origin), { waiting: 1_203, failed: 6 })
  assert.deepEqual(await stateCount(other, origin), { failed: 3 })
  assert.deepEqual(await stateCount(house.merchantId, 'https://second.example.com'), { failed: 5 })
  assert.equal(await resendMany(house.db, filter({ receiver: exactly(origin) })), 0, 'they wait already')
})

test('since and until filter by the time of the event', async () => {
  const origin = 'https://times.example.com'
  await write(1, origin, { at: '2026-11-01T00:00:00Z' })
  await write(2, origin, { at: '2026-11-02T00:00:00Z' })
  await write(4, origin, { at: '2026-11-03T00:00:00Z' })
  const within = filter({
    receiver: exactly(origin),
    since: '2026-11-02T00:00:00Z',
    until: '2026-11-03T00:00:00Z',
  })
  assert.deepEqual(await countToResend(house.db, within), [{ origin, count: 2 }])
  assert.equal(await resendMany(house.db, within), 2)
})

test('delivered notifications can be resent, and a resend ends even if they arrive meanwhile', async () => {
  const origin = 'https://lost.example.com'
  await write(600, origin, { state: 'delivered', at: '2026-11-02T00:00:00Z' })
  const running = { done: false }
  const counted = resendMany(house.db, filter({ receiver: exactly(origin), state: 'delivered' })).finally(
    () => {
      running.done = true
    },
  )
  while (!running.done) {
    await house.db.query(sql`
      update deliveries set state = 'delivered', next_try_at = null
      where merchant_id = ${house.merchantId} and origin = ${origin} and state = 'waiting'`)
  }
  assert.equal(await counted, 600)
})

test('a delivery is found with every attempt, and resent by its id', async () => {
  const origin = 'https://one.example.com'
  await write(1, origin)
  const [found] = await findNotifications(house.db, filter({ receiver: exactly(origin) }), 10)
  assert.ok(found)
  const of = { merchantId: house.merchantId, id: found.id }
  assert.deepEqual((await readNotification(house.db, of)).attempts, [])
  await resendById(house.db, of)
  assert.equal((await readNotification(house.db, of)).state, 'waiting')
  for (const wrong of [
    { ...of, merchantId: other },
    { ...of, id: 'evt_none' },
  ]) {
    await assert.rejects(resendById(house.db, wrong), /not found/)
    await assert.rejects(readNotification(house.db, wrong), /not found/)
  }
})

test('the backlog counts one merchant’s waiting and paused deliveries', async () => {
  await write(2, 'https://paused.example.com', { merchantId: other, state: 'paused' })
  assert.deepEqual(await readBacklog(house.db, other), { waiting: 0, paused: 2, oldest_due_at: null })
})
