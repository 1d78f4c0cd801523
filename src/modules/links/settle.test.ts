import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openLinkShop, type LinkShop } from '../../../test/support/link-shop.ts'
import { minuteMs, secondMs } from '../../../test/support/till.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { PaymentEvent } from '../../core/payments/state-machine.ts'
import { drawTxRef } from './create-link.ts'
import { insertLinkPayment } from './link-payment-store.ts'
import { firstLook, settleDue, settleLink } from './settle.ts'
import { takeOne, type LinkRow } from './store.ts'

let shop: LinkShop
before(async () => {
  shop = await openLinkShop()
})
after(() => shop.close())

const settle = async ({ id }: LinkRow): Promise<number> => settleLink(shop.linking, shop.till.merchantId, id)

for (const [ending, taken, paid] of [
  [['paid'], 1, 1],
  [['paid', 'refunded_in_full'], 1, 1],
  [['paid', 'reversed_by_bank'], 1, 1],
  [['cancelled_by_customer'], 0, 0],
  [['ran_out_of_time'], 0, 0],
  [['attempts_used_up'], 0, 0],
  [[], 1, 0],
] as const satisfies readonly (readonly [readonly PaymentEvent[], number, number])[]) {
  const what = ending.length === 0 ? 'is pending' : `ended by ${ending.join(', ')}`
  test(`a payment that ${what} leaves ${taken} taken and ${paid} paid, however often it is checked`, async () => {
    const link = await shop.newLink({ stock: '5' })
    const started = await shop.order(link)
    for (const event of ending) await shop.happens(started, event)
    for (let n = 0; n < 3; n += 1) await settle(link)
    const { taken: left, paid: done, paid_minor } = await shop.read(link)
    assert.deepEqual([left, done, paid_minor], [taken, paid, BigInt(paid) * 1_250n])
  })
}

/** What a server leaves behind that died between taking a place and making its payment. */
async function takeAndDie({ id }: LinkRow): Promise<string> {
  const { db, paying, merchantId } = shop.till
  const txRef = drawTxRef()
  const now = paying.now()
  await inTransaction(db, async (tx) => {
    await insertLinkPayment(tx, merchantId, { linkId: id, txRef }, { now, lookAt: firstLook(now) })
    await takeOne(tx, merchantId, id, now)
  })
  return txRef
}

test('a place without a payment is kept for ten minutes, then freed', async () => {
  const link = await shop.newLink({ stock: '1' })
  const txRef = await takeAndDie(link)
  shop.till.forward(10 * minuteMs)
  await settle(link)
  assert.deepEqual(await shop.order(link), { kind: 'closed', state: 'all_taken' })
  assert.equal((await shop.order(link, txRef)).kind, 'started', 'the same form goes on')
  const lost = await shop.newLink({ stock: '1' })
  const form = await takeAndDie(lost)
  shop.till.forward(10 * minuteMs + 1)
  assert.equal((await shop.order(lost)).kind, 'started')
  assert.deepEqual(await shop.order(lost, form), { kind: 'used' })
})

test('an open payment is checked after 15 seconds, then less often, but at least every half hour', async () => {
  const link = await shop.newLink()
  const begun = shop.till.paying.now()
  await shop.order(link)
  const nextLook = async (): Promise<number> =>
    ((await shop.rows(link))[0]?.look_at.getTime() ?? 0) - shop.till.paying.now().getTime()
  assert.equal(await nextLook(), 15 * secondMs)
  for (const [ageMs, pauseMs] of [
    [15 * secondMs, 15 * secondMs],
    [30 * secondMs, 15 * secondMs],
    [minuteMs, 30 * secondMs],
    [10 * minuteMs, 5 * minuteMs],
    [60 * minuteMs, 30 * minuteMs],
    [600 * minuteMs, 30 * minuteMs],
  ] as const) {
    shop.till.forward(ageMs - (shop.till.paying.now().getTime() - begun.getTime()))
    await settle(link)
    assert.equal(await nextLook(), pauseMs, `${ageMs / secondMs} seconds old`)
  }
})

test('the worker checks only what is due', async () => {
  const link = await shop.newLink()
  await shop.happens(await shop.order(link), 'paid')
  while ((await settleDue(shop.linking)) > 0);
  assert.equal((await shop.read(link)).paid, 0, 'not due yet')
  shop.till.forward(15 * secondMs - 1)
  while ((await settleDue(shop.linking)) > 0);
  assert.equal((await shop.read(link)).paid, 0)
  shop.till.forward(1)
  assert.ok((await settleDue(shop.linking)) > 0)
  assert.equal((await shop.read(link)).paid, 1)
})
