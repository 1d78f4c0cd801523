import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'
import type { Payout } from '../../../test/support/networks/gocardless-books.ts'
import type { ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'

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

test('a payout is in transit until its arrival date', async () => {
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

test('fractions of a penny add up to the payout, however they are rounded', async () => {
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

test('the tax within a fee is kept separate', async () => {
  const links = { payment: 'PM1' }
  const taxes = [{ amount: '2.0', currency: 'GBP', tax_rate_id: 'GB_VAT_1' }]
  putPayout([{ type: 'gocardless_fee', amount: '-12.0', links, taxes }], { amount: -12 })
  const [line] = await Array.fromAsync(
    world.connector.payoutLines?.(world.account, await reported(), never) ?? [],
  )
  assert.deepEqual([line?.grossMinor, line?.feeMinor, line?.taxMinor], [0n, 10n, 2n])
})

async function linesWith(items: Payout['items']): Promise<ReportedLine[]> {
  putPayout(items)
  return Array.fromAsync(world.connector.payoutLines?.(world.account, await reported(), never) ?? [])
}

const lineKinds = {
  payment_paid_out: 'payment',
  payment_failed: 'dispute',
  payment_refunded: 'refund',
  refund: 'refund',
  refund_funds_returned: 'refund',
  payment_charged_back: 'dispute',
  gocardless_fee: 'fee',
  app_fee: 'fee',
  surcharge_fee: 'fee',
  something_new: 'adjustment',
} as const

test('every kind of item becomes its own kind of line, with what it is about', async () => {
  const links = { payment: 'PM1', refund: 'RF1' }
  const lines = await linesWith(Object.keys(lineKinds).map((type) => ({ type, amount: '-7.0', links })))
  assert.deepEqual(Object.fromEntries(lines.map(({ type, kind }) => [type, kind])), lineKinds)
  for (const { kind, grossMinor, feeMinor, taxMinor, refundReference, currency } of lines) {
    const money = [grossMinor, feeMinor, taxMinor]
    assert.deepEqual(money, kind === 'fee' ? [0n, 7n, 0n] : [-7n, 0n, 0n], kind)
    assert.deepEqual([refundReference, currency], ['RF1', 'GBP'])
  }
})

for (const [amounts, nets] of [
  [
    ['0.4', '0.4', '0.4'],
    [0n, 1n, 0n],
  ],
  [['0.5'], [1n]],
  [['0.4999999999'], [0n]],
  [['-0.5'], [-1n]],
  [['-0.4'], [0n]],
  [
    ['-12.5', '0.5'],
    [-13n, 1n],
  ],
  [['1.00000000009'], [1n]],
] as const)
  test(`items of ${amounts.join(' and ')} pence become lines of ${nets.join(' and ')}`, async () => {
    const links = { payment: 'PM1' }
    const lines = await linesWith(amounts.map((amount) => ({ type: 'refund', amount, links })))
    assert.deepEqual(
      lines.map(({ grossMinor }) => grossMinor),
      nets,
    )
  })

for (const amount of ['', '-', '1,5', '1.', '.5', '1e3', '1234567890123456', ' 1'])
  test(`an item of ${JSON.stringify(amount)} is no amount`, async () => {
    await assert.rejects(linesWith([{ type: 'refund', amount, links: { payment: 'PM1' } }]), RangeError)
  })

for (const [what, tax, expected] of [
  ['in the same currency', { amount: '2.0', currency: 'GBP' }, 2n],
  ['in another currency', { amount: '3.0', currency: 'EUR', destination_amount: '2.6' }, 3n],
  ['in another currency without a rate', { amount: '3.0', currency: 'EUR', destination_amount: null }, 0n],
] as const)
  test(`a tax ${what} is ${expected} of a fee of 12`, async () => {
    const taxes = [{ ...tax, tax_rate_id: 'VAT' }]
    const fee = { type: 'gocardless_fee', amount: '-12.0', links: { payment: 'PM1' }, taxes }
    const sale = { ...fee, type: 'payment_paid_out', amount: '100.0' }
    const [line, sold] = await linesWith([fee, sale])
    assert.deepEqual([line?.feeMinor, line?.taxMinor], [12n - expected, expected])
    assert.deepEqual([sold?.grossMinor, sold?.taxMinor], [100n, 0n], 'the tax of a sale is no fee')
  })

for (const [what, changes, expected] of [
  ['that arrives today', {}, 'arrived undefined'],
  ['without a day of arrival', { arrival_date: null }, 'arrived undefined'],
  ['that is sent and arrives tomorrow', { arrival_date: '2999-01-01' }, 'on_its_way undefined'],
  ['that bounced', { status: 'bounced' }, 'failed bounced'],
  ['that waits', { status: 'pending' }, 'announced undefined'],
  ['to a merchant, though that is not said', { payout_type: undefined }, 'arrived undefined'],
  ['to a partner', { payout_type: 'partner' }, 'not reported'],
] as const)
  test(`a payout ${what} is ${expected.replace(' undefined', '')}`, async () => {
    putPayout([], { status: 'paid', ...(changes as Partial<Payout>) })
    const since = new Date(world.now().getTime() - 86_400_000)
    const [found] = await Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? [])
    assert.equal(found ? `${found.status} ${found.failure}` : 'not reported', expected)
  })
