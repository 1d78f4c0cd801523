import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openPage, openStripe } from '../../../test/support/networks/open-networks.ts'
import type { ReportedLine, ReportedPayout } from '../payout-reports.ts'

const never = new AbortController().signal
const dayMs = 86_400_000

let world: Awaited<ReturnType<typeof openStripe>>
beforeEach(async () => {
  world = await openStripe()
})
afterEach(() => world.close())

async function pay(): Promise<void> {
  const { reference } = await openPage(world)
  world.network.act(reference, 'pay')
}

async function reported(): Promise<ReportedPayout> {
  const since = new Date(world.now().getTime() - dayMs)
  const found = await Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? [])
  return found[0] ?? assert.fail('no payout')
}

async function linesOf(payout: ReportedPayout): Promise<ReportedLine[]> {
  return Array.fromAsync(world.connector.payoutLines?.(world.account, payout, never) ?? [])
}

test('a payout moves from announced to the bank, with what the bank shows', async () => {
  await pay()
  const { id } = world.network.payOut()
  assert.deepEqual([(await reported()).status, (await reported()).lines], ['announced', 'later'])
  world.network.movePayout(id, 'in_transit')
  assert.equal((await reported()).status, 'on_its_way')
  world.network.movePayout(id, 'paid')
  world.network.completePayout(id)
  const { status, lines, bankReference, money } = await reported()
  assert.deepEqual([status, lines, bankReference], ['arrived', 'ready', `TRACE${id.slice(-8)}`])
  assert.deepEqual(money, { amountMinor: 1_949n, currency: 'GBP' })
  world.network.movePayout(id, 'failed')
  assert.deepEqual(
    [(await reported()).status, (await reported()).failure],
    ['failed', 'The bank account has been closed'],
  )
})

test('the lines of a payout add up to it, without the payout itself', async () => {
  for (let count = 0; count < 3; count += 1) await pay()
  const { id } = world.network.payOut()
  world.network.completePayout(id)
  const payout = await reported()
  const lines = await linesOf(payout)
  assert.equal(lines.length, 3)
  assert.ok(
    lines.every(({ kind, chargeReference }) => kind === 'payment' && chargeReference?.startsWith('pi_')),
  )
  const sum = lines.reduce((all, line) => all + line.grossMinor - line.feeMinor - line.taxMinor, 0n)
  assert.equal(sum, payout.money.amountMinor)
})

test('tax is kept apart from the fee, and a fee of its own sells nothing', async () => {
  const [charge, fee] = ['txn_charge', 'txn_fee']
  const booking = {
    object: 'balance_transaction' as const,
    currency: 'gbp',
    created: Math.floor(world.now().getTime() / 1_000),
    available_on: Math.floor(world.now().getTime() / 1_000) + 60,
    exchange_rate: 0.86,
    source: { id: 'ch_1', object: 'charge', amount: 116, currency: 'eur', payment_intent: 'pi_1' },
  }
  const details = [
    { amount: 20, currency: 'gbp', type: 'stripe_fee' },
    { amount: 4, currency: 'gbp', type: 'tax' },
  ]
  world.network.books.bookings.push(
    { ...booking, id: charge, type: 'charge', amount: 100, fee: 24, net: 76, fee_details: details },
    { ...booking, id: fee, type: 'stripe_fee', amount: -5, fee: 0, net: -5, fee_details: [], source: {} },
  )
  const since = new Date(world.now().getTime() - 60_000)
  const lines = await Array.fromAsync(world.connector.bookings?.(world.account, since, never) ?? [])
  const of = (name: string): ReportedLine =>
    lines.find(({ reference }) => reference === name) ?? assert.fail()
  const { grossMinor, feeMinor, taxMinor, original, exchangeRate } = of(charge)
  assert.deepEqual([grossMinor, feeMinor, taxMinor, exchangeRate], [100n, 20n, 4n, '0.86'])
  assert.deepEqual(original, { amountMinor: 116n, currency: 'EUR' })
  assert.deepEqual([of(fee).kind, of(fee).grossMinor, of(fee).feeMinor], ['fee', 0n, 5n])
})

test('a payout asked for by hand has no lines, and the balance falls by it', async () => {
  await pay()
  assert.deepEqual(await world.connector.balance?.(world.account, never), [
    { currency: 'GBP', amountMinor: 1_949n },
  ])
  world.network.payOut({ byHand: true })
  assert.equal((await reported()).lines, 'never')
  assert.deepEqual(await world.connector.balance?.(world.account, never), [
    { currency: 'GBP', amountMinor: 0n },
  ])
})
