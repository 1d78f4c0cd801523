import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Values } from '../../../test/support/rows.ts'
import { attemptByCard, attemptOnPage, openDesk } from '../../../test/support/scripted-networks.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import type { RefundOrder } from '../networks/connector.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { listHistory } from './history-store.ts'
import { chargeOf, countCameBack, countRefunded, lockForRefund } from './refunding.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const signal = AbortSignal.any([])

test('a payment is refunded once all of it was returned, and paid again when a refund bounces', async () => {
  const { merchant_id: merchantId, number } = await attemptByCard(
    till,
    { state: 'succeeded' },
    { state: 'success' },
  )
  const key = { merchantId, number }
  const count = async (amountMinor: bigint): Promise<unknown[]> => {
    await inTransaction(till.db, async (tx) => {
      const payment = await lockForRefund(tx, key)
      assert.ok(payment)
      const counted =
        amountMinor > 0n
          ? await countRefunded(till.paying, tx, payment, amountMinor, 0n)
          : await countCameBack(till.paying, tx, payment, -amountMinor, 0n, till.paying.now().toISOString())
      const { state, refunded_minor } = payment
      assert.notDeepEqual([counted.state, counted.refunded_minor], [state, refunded_minor])
    })
    const { state, refunded_minor } = await till.read(key)
    const events = (await listHistory(till.db, key)).map(({ event }) => event)
    return [state, refunded_minor, events.at(-1)]
  }
  assert.deepEqual(await count(999n), ['success', 999n, undefined])
  assert.deepEqual(await count(1n), ['refunded', 1_000n, 'refunded_in_full'])
  assert.deepEqual(await count(-1n), ['success', 999n, 'refund_came_back'])
})

const order = { refundId: 'rfd_1' } as RefundOrder

test('a refund goes back through the same account, by the network’s ids', async () => {
  const succeeded = { refund: { kind: 'not_found' }, fetchRefund: { kind: 'not_found' } } as const
  const taken = { charge_reference: 'ch_1', charged_minor: 7n, charged_currency: 'EUR' }
  const rows: [Values, object][] = [
    [taken, { connectorReference: 'tb_1', chargeReference: 'ch_1', chargedMinor: 7n }],
    [{}, { connectorReference: 'tb_1', chargeReference: 'tb_1', chargedMinor: 1_000n }],
  ]
  for (const [changes, facts] of rows) {
    const desk = openDesk(till, succeeded)
    const { merchant_id: merchantId, number } = await attemptOnPage(till, { state: 'succeeded', ...changes })
    const charge = await chargeOf(desk.paying, { merchantId, number })
    assert.partialDeepStrictEqual(charge, { connector: till.bank.name, ...facts })
    await charge.refund(order, signal)
    await charge.fetchRefund(order, signal)
    const account = { id: 'acc_test-bank', connector: till.bank.name, credentials: {}, sandbox: true }
    assert.deepEqual(desk.asked, ['refund', 'fetchRefund'])
    assert.deepEqual(desk.told, [
      [account, order],
      [account, order],
    ])
  }
  const asked: unknown[] = []
  const say = (verb: string) => async (asks: RefundOrder) => {
    asked.push([verb, asks])
    return { kind: 'not_found' } as const
  }
  const paying = till.with({ refund: say('refund'), fetchRefund: say('fetchRefund') })
  const byCard = { state: 'succeeded', connector_reference: 'tn_1' }
  const { merchant_id: merchantId, number } = await attemptByCard(till, byCard)
  const charge = await chargeOf(paying, { merchantId, number })
  assert.deepEqual([charge.connector, charge.chargeReference], [till.network.name, 'tn_1'])
  await charge.refund(order, signal)
  await charge.fetchRefund(order, signal)
  assert.deepEqual(asked, [
    ['refund', order],
    ['fetchRefund', order],
  ])
})

test('a payment that was never charged can’t be refunded', async () => {
  const rows = [
    await attemptByCard(till, { state: 'declined', connector_reference: 'tn_1' }),
    await attemptByCard(till, { state: 'succeeded' }),
    { ...(await attemptByCard(till)), number: '9'.repeat(24) },
  ]
  for (const { merchant_id: merchantId, number } of rows)
    await assert.rejects(chargeOf(till.paying, { merchantId, number }), /has no charge/)
})
