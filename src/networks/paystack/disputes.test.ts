import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPaid, openPaystack } from '../../../test/support/networks/open-networks.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openPaystack>>
before(async () => {
  world = await openPaystack()
})
after(() => world.close())

const fetched = async (id: number) => world.connector.fetchDispute?.(world.account, String(id), never)

test('a dispute says what it is about, and when an answer is due', async () => {
  const { order, reference } = await openPaid(world)
  const { id, dueAt } = world.network.dispute(reference)
  assert.deepEqual(await fetched(id), {
    kind: 'evidence_due',
    moneyTaken: false,
    disputeReference: String(id),
    chargeReference: reference,
    money: { amountMinor: 1_999n, currency: 'ZAR' },
    reason: 'chargeback',
    evidenceDueAt: new Date(dueAt),
    order: {
      merchantId: order.merchantId,
      paymentNumber: order.paymentNumber,
      idempotencyKey: order.idempotencyKey,
    },
  })
})

test('a dispute is lost once it was accepted, by a person or by waiting, and won once it was declined', async () => {
  const told = []
  for (const [status, resolution] of [
    ['awaiting-bank-feedback', null],
    ['pending', null],
    ['resolved', 'merchant-accepted'],
    ['resolved', 'auto-accepted'],
    ['resolved', 'declined'],
    ['resolved', 'never-heard-of'],
  ] as const) {
    const { reference } = await openPaid(world)
    const { id } = world.network.dispute(reference)
    world.network.moveDispute(id, status, resolution)
    const { kind, moneyTaken } = (await fetched(id)) ?? assert.fail()
    told.push([kind, moneyTaken])
  }
  assert.deepEqual(told, [
    ['under_review', false],
    ['under_review', false],
    ['lost', true],
    ['lost', true],
    ['won', false],
    ['under_review', false],
  ])
})

test('all disputes since a moment are listed, and an unknown one is not found', async () => {
  world.goOn(86_400_000)
  const since = world.now()
  const { reference } = await openPaid(world)
  const ids = Array.from({ length: 101 }, () => String(world.network.dispute(reference).id))
  const listed = await Array.fromAsync(world.connector.disputesSince?.(world.account, since, never) ?? [])
  assert.deepEqual(listed.toSorted(), ids.toSorted())
  assert.equal(await fetched(1), undefined)
  assert.match(world.connector.disputeUrl?.('7') ?? '', /^https:\/\/dashboard\.paystack\.com\/.*7$/)
})
