import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openPage, openStripe } from '../../../test/support/networks/open-networks.ts'
import type { PayoutStatus } from '../../../test/support/networks/stripe-books.ts'
import type { ReportedLine, ReportedPayout } from '../../core/networks/payout-reports.ts'

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

test('a payout goes from announced to paid, with the text on the bank statement', async () => {
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

test('a payout’s lines add up to it, excluding the payout itself', async () => {
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

test('tax is kept separate from the fee, and a standalone fee has no sale', async () => {
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

test('a manual payout has no lines and lowers the balance', async () => {
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

for (const [status, expected] of [
  ['pending', 'announced'],
  ['in_transit', 'on_its_way'],
  ['paid', 'arrived'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
  ['a word of tomorrow', 'on_its_way'],
] as const)
  test(`a payout that is ${status} at Stripe is ${expected}`, async () => {
    await pay()
    const payout = world.network.payOut()
    world.network.books.payouts.set(payout.id, { ...payout, status: status as PayoutStatus })
    assert.equal((await reported()).status, expected)
  })

for (const [what, changes, expected] of [
  ['its trace', { trace_id: { status: 'supported', value: 'T1' }, statement_descriptor: 'SHOP' }, 'T1'],
  ['its descriptor', { trace_id: { status: 'pending', value: null }, statement_descriptor: 'SHOP' }, 'SHOP'],
  ['nothing', { trace_id: null, statement_descriptor: null }, undefined],
] as const)
  test(`the bank statement shows ${what} where Stripe has no better one`, async () => {
    await pay()
    const payout = world.network.payOut()
    world.network.books.payouts.set(payout.id, { ...payout, ...changes })
    assert.equal((await reported()).bankReference, expected)
  })

for (const [what, changes, expected] of [
  ['was canceled', { status: 'canceled', failure_message: 'm' }, 'canceled'],
  ['failed with a message', { status: 'failed', failure_message: 'm', failure_code: 'c' }, 'm'],
  ['failed with a code alone', { status: 'failed', failure_message: null, failure_code: 'c' }, 'c'],
  ['arrived', { status: 'paid' }, undefined],
] as const)
  test(`a payout that ${what} gives ${expected ?? 'no reason'}`, async () => {
    await pay()
    const payout = world.network.payOut()
    world.network.books.payouts.set(payout.id, { ...payout, ...changes })
    assert.equal((await reported()).failure, expected)
  })

test('payouts are listed from the second they were made in, and say on which day they arrive', async () => {
  await pay()
  const { id, created, arrival_date } = world.network.payOut()
  const since = async (ms: number): Promise<ReportedPayout[]> =>
    Array.fromAsync(world.connector.payouts?.(world.account, new Date(ms), never) ?? [])
  assert.deepEqual(await since((created + 1) * 1_000), [])
  const [found] = await since(created * 1_000 + 999)
  assert.equal(found?.reference, id)
  assert.equal(found?.madeAt.getTime(), created * 1_000)
  assert.equal(found?.arrivesOn, new Date(arrival_date * 1_000).toISOString().slice(0, 10))
})

const lineKinds = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  adjustment: 'adjustment',
  transfer: 'adjustment',
} as const

test('every kind of booking becomes its own kind of line, payouts become none, and a tax is no fee', async () => {
  const created = Math.floor(world.now().getTime() / 1_000)
  const money = { amount: -5, fee: 0, net: -5, currency: 'gbp', fee_details: [], exchange_rate: null }
  const book = (type: string, source: object = {}): void =>
    void world.network.books.bookings.push({
      object: 'balance_transaction',
      id: `txn_${type}`,
      type,
      created,
      available_on: created + 60,
      source,
      ...money,
    })
  for (const type of Object.keys(lineKinds)) book(type)
  for (const type of ['payout', 'payout_cancel', 'payout_failure']) book(type)
  book('dispute_taken', { id: 'du_1', object: 'dispute', payment_intent: 'pi_1' })
  book('given_back', { id: 're_1', object: 'refund', payment_intent: { id: 'pi_2' } })
  const lines = await Array.fromAsync(
    world.connector.bookings?.(world.account, new Date(created * 1_000), never) ?? [],
  )
  const kinds = Object.fromEntries(lines.map(({ type, kind }) => [type, kind]))
  assert.deepEqual(kinds, { ...lineKinds, dispute_taken: 'dispute', given_back: 'adjustment' })
  const of = (type: string): ReportedLine => lines.find((line) => line.type === type) ?? assert.fail(type)
  for (const [type, gross, fee, tax] of [
    ['charge', -5n, 0n, 0n],
    ['stripe_fee', 0n, 5n, 0n],
    ['tax_fee', 0n, 0n, 5n],
  ] as const) {
    const { grossMinor, feeMinor, taxMinor } = of(type)
    assert.deepEqual([grossMinor, feeMinor, taxMinor], [gross, fee, tax], type)
  }
  assert.deepEqual(
    [of('dispute_taken').chargeReference, of('dispute_taken').refundReference],
    ['pi_1', undefined],
  )
  assert.deepEqual([of('given_back').chargeReference, of('given_back').refundReference], ['pi_2', 're_1'])
  const { bookedAt, availableAt, exchangeRate, original } = of('charge')
  assert.equal(availableAt.getTime() - bookedAt.getTime(), 60_000)
  assert.deepEqual([bookedAt.getTime(), exchangeRate, original], [created * 1_000, undefined, undefined])
})

test('bookings of several days are all reported, from the first second on', async () => {
  const now = Math.floor(world.now().getTime() / 1_000)
  const days = [0, 1, 2].map((day) => now - day * 86_400)
  for (const created of [...days, now - 2 * 86_400 - 1])
    world.network.books.bookings.push({
      object: 'balance_transaction',
      id: `txn_${now - created}`,
      type: 'charge',
      created,
      available_on: created,
      source: {},
      amount: 1,
      fee: 0,
      net: 1,
      currency: 'gbp',
      fee_details: [],
      exchange_rate: null,
    })
  const since = new Date((now - 2 * 86_400) * 1_000)
  const lines = await Array.fromAsync(world.connector.bookings?.(world.account, since, never) ?? [])
  assert.deepEqual(
    lines.map(({ reference }) => reference),
    ['txn_172800', 'txn_86400', 'txn_0'],
  )
})
