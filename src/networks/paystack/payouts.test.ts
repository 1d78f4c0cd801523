import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openPaid, openPaystack } from '../../../test/support/networks/open-networks.ts'
import type { ReportedLine } from '../../core/networks/payout-reports.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openPaystack>>
let since: Date
beforeEach(async () => {
  world = await openPaystack()
  since = world.now()
})
afterEach(() => world.close())

const payouts = async () => Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? [])
const netOf = ({ grossMinor, feeMinor, taxMinor }: ReportedLine): bigint => grossMinor - feeMinor - taxMinor

test('a settlement is a payout, and its status gives the result', async () => {
  await openPaid(world)
  const { id } = world.network.payOut('ZAR')
  const told = []
  for (const status of ['pending', 'processing', 'success', 'failed'] as const) {
    world.network.movePayout(id, status)
    const [payout] = await payouts()
    told.push([payout?.status, payout?.failure])
  }
  assert.deepEqual(told, [
    ['announced', undefined],
    ['on_its_way', undefined],
    ['arrived', undefined],
    ['failed', 'failed'],
  ])
  const [payout] = await payouts()
  assert.deepEqual(payout, {
    reference: String(id),
    status: 'failed',
    money: { amountMinor: 1_970n, currency: 'ZAR' },
    madeAt: world.now(),
    arrivesOn: world.now().toISOString().slice(0, 10),
    failure: 'failed',
    lines: 'ready',
  })
})

test('a payout’s payments with fees, refunds and disputes are its lines, and add up to it', async () => {
  const { connector, account, network } = world
  const first = await openPaid(world)
  await connector.refund(account, first.refund, never)
  const second = await openPaid(world)
  await openPaid(world)
  network.moveDispute(network.dispute(second.reference).id, 'resolved', 'merchant-accepted')
  network.payOut('ZAR')
  await openPaid(world)
  network.payOut('ZAR')
  const kinds = []
  for (const payout of await payouts()) {
    const lines = await Array.fromAsync(connector.payoutLines?.(account, payout, never) ?? [])
    const sum = lines.reduce((all, line) => all + netOf(line), 0n)
    assert.equal(sum, payout.money.amountMinor)
    assert.equal(new Set(lines.map(({ reference }) => reference)).size, lines.length)
    kinds.push(lines.map(({ kind }) => kind).toSorted())
  }
  assert.deepEqual(
    kinds.toSorted((left, right) => left.length - right.length),
    [['payment'], ['dispute', 'payment', 'payment', 'payment', 'refund']],
  )
})

test('a line names its payment', async () => {
  const { connector, account, network } = world
  const { order, reference } = await openPaid(world)
  network.payOut('ZAR')
  const [payout] = await payouts()
  const [line] = await Array.fromAsync(connector.payoutLines?.(account, payout ?? assert.fail(), never) ?? [])
  assert.deepEqual([line?.chargeReference, line?.paymentNumber], [reference, order.paymentNumber])
  assert.deepEqual([line?.grossMinor, line?.feeMinor], [1_999n, 29n])
})

test('movements are charges with fees, refunds and payouts, oldest first', async () => {
  const { connector, account, network } = world
  const whole = await openPaid(world)
  world.goOn(1_000)
  await connector.refund(account, { ...whole.refund, amountMinor: 1_999n }, never)
  world.goOn(1_000)
  const { order } = await openPaid(world)
  world.goOn(1_000)
  network.payOut('ZAR')
  const found = await Array.fromAsync(connector.movements?.(account, since, never) ?? [])
  assert.deepEqual(
    found.map(({ kind, money, feeMinor }) => [kind, money.amountMinor, feeMinor]),
    [
      ['charge', 1_999n, 29n],
      ['refund', -1_999n, undefined],
      ['charge', 1_999n, 29n],
      ['payout', -1_941n, undefined],
    ],
  )
  assert.equal(found[2]?.idempotencyKey, order.idempotencyKey)
  assert.equal(found[1]?.chargeReference, whole.reference)
})

test('more than a page of transactions is read, whichever name its size has', async () => {
  const { connector, account, network } = world
  const { reference } = await openPaid(world)
  const { transactions } = network.books
  const one = transactions.get(reference) ?? assert.fail()
  for (let index = 1; index <= 230; index += 1)
    transactions.set(`key-${index}`, { ...one, id: one.id + index, reference: `key-${index}` })
  const found = await Array.fromAsync(connector.movements?.(account, since, never) ?? [])
  assert.equal(new Set(found.map((each) => each.reference)).size, 231)
  // Two lists, of three pages and of one, and the empty ones of refunds and settlements.
  assert.equal(network.requests.filter(({ path }) => path === '/transaction').length, 4)
})

test('settlements of before are left out, though Paystack lists them all', async () => {
  const { network, connector, account } = world
  await openPaid(world)
  network.payOut('ZAR')
  world.goOn(1_000)
  since = world.now()
  await openPaid(world)
  const { id } = network.payOut('ZAR')
  assert.deepEqual(
    (await payouts()).map(({ reference }) => reference),
    [String(id)],
  )
  const found = await Array.fromAsync(connector.movements?.(account, since, never) ?? [])
  assert.deepEqual(
    found.flatMap(({ kind, reference }) => (kind === 'payout' ? [reference] : [])),
    [`settlement/${id}`],
  )
})
