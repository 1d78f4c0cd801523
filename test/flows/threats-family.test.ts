import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/core/merchants/change-keys.ts'
import { clients, openShop, type Florin } from '../support/family-shop.ts'
import { call, openHouse, post, type House } from '../support/house.ts'
import { happens } from '../support/pay.ts'
import { waitUntil } from '../support/wait-until.ts'

// With a key of the dialect no client of the family completes an order that is not paid, whatever is typed into the
// callback's address.

// Hundreds of look-ups of what doesn't exist, by one key.
const busy = { RATE_LIMIT_PER_SECOND: '10000', RATE_LIMIT_BURST: '10000', MISS_LIMIT_PER_SECOND: '10000' }

let house: House
let family: Florin
let plain: Florin

before(async () => {
  house = await openHouse({ settings: busy })
  const make = async (request: Partial<Parameters<typeof createKey>[2]>) =>
    (await createKey(house.db, house.merchantId, { kind: 'secret', name: 'Plugin', ...request })).key
  const bounds = { hosts: ['127.0.0.1'] }
  const formKey = await make({ kind: 'form', dialect: 'family', bounds })
  const common = { url: house.url, formKey, webhookKey: house.secretKey }
  family = { ...common, key: await make({ dialect: 'family' }) }
  plain = { ...common, key: house.secretKey }
})
after(() => house.close())

/** What customers type: their own order, made to look paid, paths that lead elsewhere, and another order that is paid. */
function typed(txRef: string, paid: string): string[] {
  const paths = [
    '/notifications',
    '/refunds',
    '/../../account',
    '/../../transactions',
    `/../${paid}/notifications`,
    '?status=success',
    '#',
    '/.',
    '/',
  ]
  const references = [txRef, ...paths.map((path) => txRef + path), '../account', '../transactions', '', paid]
  return references.flatMap((reference) => {
    const written = encodeURIComponent(reference)
    return [
      `tx_ref=${written}`,
      `trx_ref=${written}&status=success`,
      `tx_ref=${written}&trx_ref=${encodeURIComponent(paid)}&status=success&order_id=${txRef}`,
      `tx_ref=${encodeURIComponent(written)}&status=success`,
    ]
  })
}

const seemsPaid = (txRef: string): string => `tx_ref=${txRef}&trx_ref=${txRef}&status=success`
const unpaid = [undefined, 'cancelled_by_customer', 'attempts_used_up', 'ran_out_of_time'] as const

for (const [name, client] of Object.entries(clients)) {
  test(`${name}: with the dialect only paid orders are completed, once, in whatever order calls arrive`, async () => {
    const shop = await openShop(client, family)
    const returnsFirst = await shop.order()
    await happens(house, returnsFirst, 'paid')
    await shop.visit(seemsPaid(returnsFirst.txRef))
    const atReturn = client.signed ? [] : [returnsFirst.id]
    assert.deepEqual(shop.completed, atReturn, 'the customer returns before the notification')

    const worker = house.app.startWorker()
    await waitUntil('the first order is completed', async () => shop.completed.length === 1)
    for (const event of unpaid) {
      const order = await shop.order()
      if (event) await happens(house, order, event)
      for (const query of typed(order.txRef, returnsFirst.txRef)) await shop.visit(query)
      if (client.signed) assert.equal(await shop.forge(order.txRef), 400)
      assert.deepEqual(shop.completed, [returnsFirst.id], event ?? 'unpaid')
    }
    const calledFirst = await shop.order()
    await happens(house, calledFirst, 'paid')
    await waitUntil('the notification completes the order', async () => shop.completed.length === 2)
    await shop.visit(seemsPaid(calledFirst.txRef))
    assert.deepEqual(shop.completed, [returnsFirst.id, calledFirst.id])
    await worker.stop()
    await shop.close()
  })

  test(`${name}: an order that is paid twice, or notified twice, is completed once`, async () => {
    const worker = house.app.startWorker()
    const shop = await openShop(client, family)
    const order = await shop.order()
    await happens(house, order, 'paid')
    await waitUntil('the order is completed', async () => shop.completed.length === 1)
    const path = client.signed ? '/webhook' : '/ipn'
    let sent: string | undefined
    await waitUntil('the notification is delivered', async () => {
      sent = await deliveredTo(order.txRef, path)
      return sent !== undefined
    })
    await post(`${house.url}/api/transaction/${order.txRef}/notifications/${sent}/resend`, {}, family.key)
    await waitUntil('the shop is notified again', async () => shop.again.length === 1)
    await happens(house, await shop.payAgain(order), 'paid')
    await waitUntil('the shop hears of the second payment', async () => shop.again.length === 2)
    assert.deepEqual([shop.completed, shop.again], [[order.id], [order.id, order.id]])
    await worker.stop()
    await shop.close()
  })
}

/** The id of the payment's notification that the shop took; undefined until then. */
async function deliveredTo(txRef: string, path: string): Promise<string | undefined> {
  const { json } = await call(`${house.url}/api/transaction/${txRef}/notifications`, { key: family.key })
  const rows = json.data as { id: string; kind: string; status: string; target: string }[]
  return rows.find(({ status, target }) => status === 'delivered' && target.includes(path))?.id
}

test('the control: without the dialect each client that reads only the envelope completes an unpaid order', async () => {
  for (const [name, { byWebForm: _, ...client }] of Object.entries(clients)) {
    const shop = await openShop({ ...client, sends: {} }, plain)
    const { id, txRef } = await shop.order()
    await shop.visit(seemsPaid(txRef))
    assert.deepEqual(shop.completed, client.readsData ? [] : [id], name)
    await shop.close()
  }
})
