import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { HostedOrder } from '../hosted.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

async function paid(): Promise<{ order: HostedOrder; session: string; charge: string }> {
  const made = makeOrder({ connector: world.connector, currency: 'GBP', method: 'card' }, 1_999n)
  const order = { ...made, startedAt: world.now() }
  const page = { ...makePage(), expiresAt: new Date(world.now().getTime() + 3_600_000) }
  const opened = await world.connector.open(world.account, order, page, never)
  assert.equal(opened.kind, 'open')
  const session = opened.connectorReference
  world.network.act(session, 'pay')
  const status = await world.connector.fetch(world.account, { ...order, connectorReference: session }, never)
  assert.equal(status.kind, 'charged')
  return { order, session, charge: status.chargeReference }
}

test('a dispute asks for evidence until it is won or lost, and says where the money is', async () => {
  const { order, session, charge } = await paid()
  const { id } = world.network.dispute(session)
  const told = await world.connector.fetchDispute?.(world.account, id, never)
  assert.equal(told?.kind, 'evidence_due')
  assert.equal(told.moneyTaken, true)
  assert.equal(told.order?.merchantId, order.merchantId)
  assert.equal(told.order?.idempotencyKey, order.idempotencyKey)
  assert.equal(told.chargeReference, charge)
  assert.deepEqual(told.money, { amountMinor: 1_999n, currency: 'GBP' })
  assert.equal(
    told.evidenceDueAt?.getTime(),
    Math.floor(world.now().getTime() / 1_000) * 1_000 + 7 * 86_400_000,
  )
  world.network.endDispute(id, 'lost')
  const lost = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([lost?.kind, lost?.moneyTaken], ['lost', true])
  assert.equal(await world.connector.fetchDispute?.(world.account, 'du_unknown', never), undefined)
  const other = world.network.dispute(session)
  world.network.endDispute(other.id, 'won')
  const won = await world.connector.fetchDispute?.(world.account, other.id, never)
  assert.deepEqual([won?.kind, won?.moneyTaken], ['won', false])
})

test('a bank that only asks takes no money', async () => {
  const { session } = await paid()
  const { id } = world.network.dispute(session, 'inquiry')
  const told = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([told?.kind, told?.moneyTaken], ['evidence_due', false])
  const known = world.network.books.disputes.get(id)
  if (known) known.status = 'warning_under_review'
  const later = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([later?.kind, later?.moneyTaken], ['under_review', false])
})
