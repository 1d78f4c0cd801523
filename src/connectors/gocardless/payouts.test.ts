import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'
import type { Payout } from '../../../test/support/networks/gocardless-books.ts'
import type { ReportedLine, ReportedPayout } from '../payout-reports.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openGoCardless>>
beforeEach(async () => {
  world = await openGoCardless()
})
afterEach(() => world.close())

function putPayout(items: Payout['items'], more: Partial<Payout> = {}): Payout {
  const now = world.now().toISOString()
  const payout: Payout = {
    id: 'PO1',
    created_at: now,
    arrival_date: now.slice(0, 10),
    amount: 100,
    deducted_fees: 0,
    currency: 'GBP',
    payout_type: 'merchant',
    reference: 'SHOP-1',
    status: 'pending',
    items,
    ...more,
  }
  world.network.books.payouts.set(payout.id, payout)
  return payout
}

async function reported(): Promise<ReportedPayout> {
  const since = new Date(world.now().getTime() - 86_400_000)
  const found = await Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? [])
  return found[0] ?? assert.fail('no payout')
}

test('a payout is on its way until the day of its arrival', async () => {
  const later = new Date(world.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  const payout = putPayout([], { arrival_date: later })
  assert.deepEqual([(await reported()).status, (await reported()).bankReference], ['announced', 'SHOP-1'])
  payout.status = 'paid'
  assert.equal((await reported()).status, 'on_its_way')
  world.goOn(2 * 86_400_000)
  world.network.books.payouts.set('PO1', { ...payout, created_at: world.now().toISOString() })
  assert.equal((await reported()).status, 'arrived')
  world.network.books.payouts.set('PO1', {
    ...payout,
    status: 'bounced',
    created_at: world.now().toISOString(),
  })
  assert.equal((await reported()).status, 'failed')
})

test('fractions of a penny add up to the payout, whichever way they are rounded', async () => {
  const links = { payment: 'PM1' }
  const fee = (amount: string) => ({ type: 'gocardless_fee', amount, links })
  putPayout(
    [
      { type: 'payment_paid_out', amount: '1000.0', links },
      fee('-12.5'),
      fee('-12.5'),
      fee('-0.4'),
      fee('-0.6'),
    ],
    {
      amount: 974,
    },
  )
  const lines: ReportedLine[] = await Array.fromAsync(
    world.connector.payoutLines?.(world.account, await reported(), never) ?? [],
  )
  const nets = lines.map((line) => line.grossMinor - line.feeMinor - line.taxMinor)
  assert.equal(
    nets.reduce((sum, net) => sum + net, 0n),
    974n,
  )
  assert.deepEqual(
    lines.map(({ reference }) => reference),
    ['PO1/1', 'PO1/2', 'PO1/3', 'PO1/4', 'PO1/5'],
  )
  assert.ok(lines.every(({ chargeReference }) => chargeReference === 'PM1'))
})

test('the tax in a fee is kept apart', async () => {
  const links = { payment: 'PM1' }
  const taxes = [{ amount: '2.0', currency: 'GBP', tax_rate_id: 'GB_VAT_1' }]
  putPayout([{ type: 'gocardless_fee', amount: '-12.0', links, taxes }], { amount: -12 })
  const [line] = await Array.fromAsync(
    world.connector.payoutLines?.(world.account, await reported(), never) ?? [],
  )
  assert.deepEqual([line?.grossMinor, line?.feeMinor, line?.taxMinor], [0n, 10n, 2n])
})
