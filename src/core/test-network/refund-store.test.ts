import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import type { RefundOrder } from '../networks/connector.ts'
import { findCardRefund, findChargedCard, insertCardRefund } from './refund-store.ts'

// Two merchants whose charges have the same names: 10.00 that was charged, and a charge that still asks for a code.

let two: TwoMerchants
const at = new Date('2026-11-16T12:00:00.000Z')

before(async () => {
  two = await openTwoMerchants()
  for (const [merchant_id, card_last4] of [
    [two.own, '1111'],
    [two.other, '2222'],
  ] as const) {
    const charge = (reference: string, outcome: string) =>
      ({
        merchant_id,
        idempotency_key: reference,
        payment_number: '1',
        reference,
        outcome,
        card_last4,
      }) as const
    const times = { told_from: at, received_at: at, amount_minor: 1_000n, currency: 'GBP' }
    await insertRows(two.db, 'test_network.charges', [
      { ...charge('charged', 'charged'), ...times },
      { ...charge('asking', 'challenge'), ...times },
    ])
  }
})
after(() => two.close())

async function refund(own: number, key: string, amountMinor: bigint, changes: object = {}): Promise<boolean> {
  const order = { merchantId: own, chargeReference: 'charged', amountMinor, currency: 'GBP', ...changes }
  const named = { ...order, idempotencyKey: key } as RefundOrder
  await insertCardRefund(two.db, named, { reference: key, outcome: 'succeeded', at, toldFrom: at })
  return (await findCardRefund(two.db, { merchantId: own, idempotencyKey: key })) !== undefined
}

test('a charge’s card is found for its own merchant, once charged', async () => {
  for (const [own, last4] of [
    [two.own, '1111'],
    [two.other, '2222'],
  ] as const) {
    const find = async (chargeReference: string) =>
      (await findChargedCard(two.db, { merchantId: own, chargeReference }))?.card_last4
    assert.deepEqual(
      [await find('charged'), await find('asking'), await find('none')],
      [last4, undefined, undefined],
    )
  }
})

test('refunds can’t exceed the charge, counted per merchant', async () => {
  const others = await storedRows(two.db, 'test_network.card_refunds', two.other)
  assert.equal(await refund(two.own, 'asking', 1n, { chargeReference: 'asking' }), false)
  assert.equal(await refund(two.own, 'euros', 1n, { currency: 'EUR' }), false)
  assert.equal(await refund(two.own, 'too much', 1_001n), false)
  assert.equal(await refund(two.own, 'most', 999n), true)
  assert.equal(await refund(two.own, 'over', 2n), false)
  assert.equal(await refund(two.own, 'rest', 1n), true)
  assert.deepEqual(await storedRows(two.db, 'test_network.card_refunds', two.other), others)
  assert.equal(await refund(two.other, 'all', 1_000n), true)
})
