import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPage, openPaid, openPayPal } from '../../../test/support/networks/open-networks.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

let world: Awaited<ReturnType<typeof openPayPal>>
before(async () => {
  world = await openPayPal()
})
after(() => world.close())

const never = new AbortController().signal
const dayMs = 86_400_000

test('the list of bookings is read to its end, over months, oldest first, with charges, refunds and withdrawals', async () => {
  const { network, connector, account } = world
  const start = world.now()
  const { order, refund } = await openPaid(world)
  world.goOn(40 * dayMs)
  await connector.refund(account, refund, never)
  world.goOn(dayMs)
  const out = network.payOut('7.00', 'GBP')
  world.goOn(1_000)
  const found = await Array.fromAsync(
    connector.movements?.(account, new Date(start.getTime() - dayMs), never) ?? [],
  )
  assert.deepEqual(
    found.map(({ kind, money, feeMinor }) => [kind, money.amountMinor, feeMinor]),
    [
      ['charge', 1_999n, 57n],
      ['refund', -500n, 0n],
      ['payout', -700n, 0n],
    ],
  )
  assert.equal(found[0]?.idempotencyKey, order.idempotencyKey)
  assert.equal(found[1]?.chargeReference, refund.chargeReference)
  const [payout] = await Array.fromAsync(connector.payouts?.(account, start, never) ?? [])
  assert.deepEqual(
    [payout?.reference, payout?.money.amountMinor, payout?.lines],
    [out.transaction_id, 700n, 'never'],
  )
  const lines = await Array.fromAsync(connector.bookings?.(account, start, never) ?? [])
  assert.deepEqual(
    lines.map(({ kind, grossMinor, feeMinor, paymentNumber }) => [kind, grossMinor, feeMinor, paymentNumber]),
    [
      ['payment', 1_999n, 57n, order.paymentNumber],
      ['refund', -500n, 0n, undefined],
    ],
  )
  assert.deepEqual(await connector.balance?.(account, never), [{ amountMinor: 742n, currency: 'GBP' }])
})

test('more bookings than a page holds are all found', async () => {
  const { network, connector, account } = world
  world.goOn(60 * dayMs)
  const since = world.now()
  for (let index = 0; index < 1_001; index += 1) network.payOut('0.01', 'EUR')
  world.goOn(1_000)
  const found = await Array.fromAsync(
    connector.movements?.(account, new Date(since.getTime() - 1_000), never) ?? [],
  )
  assert.equal(found.length, 1_001)
})

const readMovements = async (since: Date) =>
  Array.fromAsync(world.connector.movements?.(world.account, since, never) ?? [])

/** A withdrawal of a penny, at a time of the past. */
function payOutAt(ms: number, currency: string): void {
  const entry = world.network.payOut('0.01', currency)
  const { ledger } = world.network.books
  ledger[ledger.length - 1] = { ...entry, transaction_initiation_date: new Date(ms).toISOString() }
}

const ofCurrency = (wanted: string) => (each: { readonly money: { readonly currency: string } }) =>
  each.money.currency === wanted

test('no span starts within the last 36 hours, however long ago the first one starts', async () => {
  world.goOn(400 * dayMs)
  payOutAt(world.now().getTime() - 1_000, 'CHF')
  const hourMs = dayMs / 24
  for (const agoMs of [0.5 * hourMs, 36 * hourMs, 30 * dayMs + 1, 60 * dayMs + hourMs, 180 * dayMs + 1_000]) {
    const since = new Date(world.now().getTime() - agoMs)
    const found = await Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? [])
    assert.equal(found.filter(ofCurrency('CHF')).length, 1, `${agoMs / hourMs} hours`)
  }
  const since = new Date(world.now().getTime() - 500)
  assert.deepEqual(await Array.fromAsync(world.connector.payouts?.(world.account, since, never) ?? []), [])
})

test('more transactions than PayPal lists at once are read in shorter spans, each once', async () => {
  world.goOn(60 * dayMs)
  const nowMs = world.now().getTime()
  const startMs = nowMs - 20 * dayMs
  for (let index = 0; index < 12_000; index += 1) payOutAt(startMs + index * 7_000, 'SEK')
  const found = (await readMovements(new Date(startMs))).filter(ofCurrency('SEK'))
  assert.equal(found.length, 12_000)
  assert.equal(new Set(found.map(({ reference }) => reference)).size, 12_000)
  assert.ok(found.every(({ at }, index) => index === 0 || at >= (found[index - 1]?.at ?? at)))
})

test('what PayPal is not ready to list is left to a later look, and does not fail this one', async () => {
  world.network.books.ledger.length = 0
  world.goOn(60 * dayMs)
  const nowMs = world.now().getTime()
  for (let index = 0; index < 10_001; index += 1) payOutAt(nowMs - dayMs + index * 1_000, 'NOK')
  const since = new Date(nowMs - 2 * dayMs)
  assert.deepEqual((await readMovements(since)).filter(ofCurrency('NOK')), [])
  world.goOn(2 * dayMs)
  assert.equal((await readMovements(since)).filter(ofCurrency('NOK')).length, 10_001)
})

test('more transactions of one second than PayPal lists are an error, not a list without them', async () => {
  world.network.books.ledger.length = 0
  world.goOn(60 * dayMs)
  const atMs = world.now().getTime() - 3 * dayMs
  for (let index = 0; index < 10_001; index += 1) payOutAt(atMs, 'DKK')
  await assert.rejects(readMovements(new Date(atMs - dayMs)), NoAnswer)
  world.goOn(100 * dayMs)
})

test('a capture that PayPal reviewed for weeks is booked, though it is listed under the day it was made', async () => {
  world.network.books.ledger.length = 0
  const { network, connector, account } = world
  const { order, reference } = await openPage(world)
  network.act(reference, 'pending')
  await connector.capture?.(account, order, never)
  const captureId = network.books.orders.get(reference)?.capture ?? assert.fail()
  const bookings = async (since: Date) =>
    (await Array.fromAsync(connector.bookings?.(account, since, never) ?? [])).map((line) => line.reference)
  world.goOn(dayMs)
  assert.deepEqual(await bookings(new Date(world.now().getTime() - dayMs)), [])
  world.goOn(25 * dayMs)
  const lookedAt = world.now()
  network.moveCapture(captureId, 'COMPLETED')
  world.goOn(3_600_000)
  assert.deepEqual(await bookings(lookedAt), [captureId])
  assert.deepEqual(
    (await readMovements(lookedAt)).map(({ chargeReference }) => chargeReference),
    [captureId],
  )
})

test('a refund carries our names without slashes, and one of an older Florin, with them, is recognized', async () => {
  const { network, connector, account } = world
  const { refunds } = network.books
  const { refund } = await openPaid(world)
  const done = await connector.refund(account, refund, never)
  const [id = '', booked] = [...refunds].find(([, { capture }]) => capture === refund.chargeReference) ?? []
  assert.ok(booked)
  assert.match(booked.custom_id, /^\d{8}\.[\w-]+\.[\w-]+$/)
  assert.deepEqual(await connector.fetchRefund(account, refund, never), done)
  refunds.set(id, { ...booked, custom_id: booked.custom_id.replaceAll('.', '/') })
  assert.deepEqual(await connector.fetchRefund(account, refund, never), done)
})

test('a refund that PayPal has under our key and lists nowhere is not taken for failed', async () => {
  const { network, connector, account } = world
  const { refund } = await openPaid(world)
  await connector.refund(account, refund, never)
  const { refunds } = network.books
  const [id = '', booked] = [...refunds].find(([, { capture }]) => capture === refund.chargeReference) ?? []
  assert.ok(booked)
  // Sent again in other words, as after an upgrade: PayPal refuses the key.
  const again = { ...refund, amountMinor: 499n }
  assert.equal((await connector.refund(account, again, never)).kind, 'succeeded')
  refunds.delete(id)
  await assert.rejects(connector.refund(account, again, never), NoAnswer)
})

test('who the money of a dispute was taken from is read under either name, and fees are no part of it', async () => {
  const { network, connector, account } = world
  const { refund } = await openPaid(world)
  const dispute = network.disputed(refund.chargeReference)
  network.decide(dispute.dispute_id, 'NONE')
  const amount = dispute.dispute_amount
  const taken = { type: 'DEBIT', amount, reason: 'DISPUTE_SETTLEMENT' } as const
  const fee = { type: 'DEBIT', amount, reason: 'DISPUTE_FEE' } as const
  for (const [moved, kind] of [
    [{ fund_movements: [{ party: 'SELLER', ...taken }] }, 'lost'],
    [{ money_movements: [{ affected_party: 'SELLER', ...taken }] }, 'lost'],
    [{ money_movements: [{ affected_party: 'PAYMENT_PROCESSOR', ...taken }] }, 'won'],
    [{ money_movements: [{ affected_party: 'SELLER', ...fee }] }, 'won'],
    [
      {
        money_movements: [taken, { ...taken, type: 'CREDIT' as const }].map((each) => ({
          affected_party: 'SELLER',
          ...each,
        })),
      },
      'won',
    ],
  ] as const) {
    Object.assign(dispute, { fund_movements: undefined, money_movements: undefined }, moved)
    const status = await connector.fetchDispute?.(account, dispute.dispute_id, never)
    assert.deepEqual([status?.kind, status?.moneyTaken], [kind, kind === 'lost'], JSON.stringify(moved))
  }
})

test('a dispute is open without taking the money, and lost or won with it', async () => {
  const { network, connector, account } = world
  for (const [outcome, kind, moneyTaken] of [
    ['RESOLVED_BUYER_FAVOUR', 'lost', true],
    ['RESOLVED_SELLER_FAVOUR', 'won', false],
    ['RESOLVED_WITH_PAYOUT', 'won', false],
  ] as const) {
    const { order, refund } = await openPaid(world)
    const { dispute_id } = network.disputed(refund.chargeReference)
    const open = await connector.fetchDispute?.(account, dispute_id, never)
    assert.deepEqual(
      [open?.kind, open?.moneyTaken, open?.reason],
      ['evidence_due', false, 'product_not_received'],
    )
    assert.equal(open?.order?.paymentNumber, order.paymentNumber)
    assert.equal(open.chargeReference, refund.chargeReference)
    network.decide(dispute_id, outcome)
    const decided = await connector.fetchDispute?.(account, dispute_id, never)
    assert.deepEqual([decided?.kind, decided?.moneyTaken], [kind, moneyTaken])
  }
  const captureId = [...network.books.captures.keys()][0] ?? ''
  for (let index = 0; index < 60; index += 1) network.disputed(captureId)
  const found = await Array.fromAsync(connector.disputesSince?.(account, new Date(0), never) ?? [])
  assert.equal(new Set(found).size, 64)
  assert.equal(await connector.fetchDispute?.(account, 'PP-D-0', never), undefined)
})
