import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  delivery,
  moment,
  neighbour,
  openNotificationRows,
  own,
  type NotificationRows,
  type StoredDelivery,
} from '../../../test/support/notification-rows.ts'
import {
  findMerchantsWithBacklog,
  findMerchantsWithDueDeliveries,
  findMerchantsWithFarFuture,
  findMerchantsWithWaitingMail,
  type Look,
} from './due-look-store.ts'
import { mailOrigin } from './queues.ts'

let rows: NotificationRows
before(async () => {
  rows = await openNotificationRows()
})
after(() => rows.close())

const hourMs = 3_600_000

function inHours(hours: number): string {
  return new Date(Date.now() + hours * hourMs).toISOString()
}

type Find = (after: number, rowsMax?: number) => Promise<Look>

/** A delivery that each look finds, and those that differ from it in one thing and must not be found. */
const looks: Record<
  string,
  { find: Find; found: Partial<StoredDelivery>[]; others: Partial<StoredDelivery>[] }
> = {
  'something due': {
    find: async (behind, rowsMax) =>
      findMerchantsWithDueDeliveries(rows.db, behind, new Date(moment(0)), rowsMax),
    found: [{}],
    others: [{ next_try_at: moment(1) }, { state: 'paused' }, { state: 'failed' }],
  },
  'something that is to be tried later than can be': {
    find: async (...asked) => findMerchantsWithFarFuture(rows.db, ...asked),
    found: [{ next_try_at: inHours(49) }],
    others: [{ next_try_at: inHours(47) }, { state: 'paused' }],
  },
  'mail that waits for a mail server': {
    find: async (...asked) => findMerchantsWithWaitingMail(rows.db, ...asked),
    found: [{ state: 'paused', origin: mailOrigin }],
    others: [{ state: 'paused' }, { origin: mailOrigin }, { state: 'failed', origin: mailOrigin }],
  },
  'anything that waits or is paused': {
    find: async (...asked) => findMerchantsWithBacklog(rows.db, ...asked),
    found: [{}, { state: 'paused' }],
    others: [{ state: 'delivered' }, { state: 'failed' }, { state: 'skipped' }, { state: 'kept' }],
  },
}

for (const [name, { find, found, others }] of Object.entries(looks)) {
  test(`a search finds merchants with ${name}, in order and after the last one`, async () => {
    const has = (merchant_id: number, changes: Partial<StoredDelivery>): StoredDelivery[] =>
      ['evt_1', 'evt_2'].map((id) => delivery({ merchant_id, id, ...changes }))
    for (const one of found) {
      await rows.replace({ deliveries: [...has(neighbour, one), ...has(own, one)] })
      assert.deepEqual(await find(0), { merchants: [own, neighbour], nextCursor: undefined })
      assert.deepEqual(await find(own), { merchants: [neighbour], nextCursor: undefined })
      assert.deepEqual(await find(neighbour), { merchants: [], nextCursor: undefined })
      assert.deepEqual(await find(0, 2), { merchants: [own], nextCursor: own })
      for (const other of others) {
        await rows.replace({ deliveries: [...has(own, other), ...has(neighbour, one)] })
        assert.deepEqual((await find(0)).merchants, [neighbour], JSON.stringify(other))
      }
    }
  })
}
