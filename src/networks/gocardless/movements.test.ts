import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Payout } from '../../../test/support/networks/gocardless-books.ts'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'
import type { Movement } from '../../core/networks/hosted.ts'

const never = new AbortController().signal
const dayMs = 86_400_000

let world: Awaited<ReturnType<typeof openGoCardless>>
beforeEach(async () => {
  world = await openGoCardless()
})
afterEach(() => world.close())

function payOut(id: string, agoMs: number, items: Payout['items'] = []): void {
  const createdAt = new Date(world.now().getTime() - agoMs).toISOString()
  world.network.books.payouts.set(id, {
    id,
    created_at: createdAt,
    arrival_date: createdAt.slice(0, 10),
    amount: 100,
    deducted_fees: 0,
    currency: 'GBP',
    payout_type: 'merchant',
    reference: 'SHOP-1',
    status: 'paid',
    items,
  })
}

async function movementsSince(agoMs: number): Promise<Movement[]> {
  const since = new Date(world.now().getTime() - agoMs)
  return Array.fromAsync(world.connector.movements?.(world.account, since, never) ?? [])
}

test('every item of a payout is read, across all pages', async () => {
  const items = Array.from({ length: 250 }, (_, place) => ({
    type: 'payment_paid_out',
    amount: `${place + 1}.0`,
    links: { payment: `PM${place}` },
  }))
  payOut('PO1', 0, items)
  const told = await movementsSince(dayMs)
  assert.deepEqual(
    told.map(({ chargeReference }) => chargeReference),
    [...items.map(({ links }) => links.payment), undefined],
  )
  assert.equal(new Set(told.map(({ reference }) => reference)).size, 251)
})

test('payouts are read oldest first, across pages, and none from before the start', async () => {
  payOut('PO_BEFORE', 200 * dayMs + 1)
  const names = Array.from({ length: 120 }, (_, place) => `PO${place}`)
  names.forEach((name, place) => payOut(name, (200 - place) * dayMs))
  assert.deepEqual(
    (await movementsSince(200 * dayMs)).map(({ reference }) => reference),
    names,
  )
})

const kinds: Readonly<Record<string, Movement['kind']>> = {
  payment_paid_out: 'charge',
  payment_failed: 'dispute',
  payment_refunded: 'refund',
  refund: 'refund',
  refund_funds_returned: 'refund',
  payment_charged_back: 'dispute',
  gocardless_fee: 'fee',
  app_fee: 'fee',
  surcharge_fee: 'fee',
  revenue_share: 'other',
}

test('items are classified by their type', async () => {
  const links = { payment: 'PM1', refund: 'RF1' }
  payOut(
    'PO1',
    0,
    Object.keys(kinds).map((type) => ({ type, amount: '-12.5', links })),
  )
  const told = (await movementsSince(0)).slice(0, -1)
  assert.deepEqual(
    told.map(({ kind }) => kind),
    Object.values(kinds),
  )
  for (const { money, refundReference } of told)
    assert.deepEqual([money.amountMinor, refundReference], [-13n, 'RF1'])
})
