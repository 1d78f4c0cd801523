import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endsWellInEveryMood, noAnswers } from '../../../test/support/networks/moods-contract.ts'
import { openPage, openPayPal } from '../../../test/support/networks/open-networks.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

endsWellInEveryMood('PayPal', async (options) => {
  const world = await openPayPal(options)
  const { books } = world.network
  const withKey = ({ custom_id }: { custom_id: string }, { idempotencyKey }: { idempotencyKey: string }) =>
    custom_id.endsWith(idempotencyKey)
  return {
    ...world,
    saves500: false,
    findsNoLost: true,
    paths: { open: /orders$/, refund: /refund$/ },
    pay: ({ connectorReference }) => world.network.act(connectorReference, 'pay'),
    pages: (order) => [...books.orders.values()].filter((one) => withKey(one, order)).length,
    refunds: (refund) => [...books.refunds.values()].filter((one) => withKey(one, refund)).length,
  }
})

let world: Awaited<ReturnType<typeof openPayPal>>
before(async () => {
  world = await openPayPal()
})
after(() => world.close())

for (const [what, { mood, acts }] of Object.entries(noAnswers))
  test(`PayPal, when the network ${what}: capturing throws, and the money is taken once, with one key`, async () => {
    const { network, connector, account } = world
    const { order, reference } = await openPage(world)
    network.act(reference, 'pay')
    const patience = new AbortController()
    const isSilent = mood.kind === 'hangs' || mood.kind === 'slow'
    void network.turn(mood, { path: /capture$/ }).then(() => isSilent && patience.abort())
    await assert.rejects(connector.capture?.(account, order, patience.signal) ?? Promise.resolve(), NoAnswer)
    const never = new AbortController().signal
    assert.equal((await connector.fetch(account, order, never)).kind, acts ? 'charged' : 'approved')
    assert.equal((await connector.capture?.(account, order, never))?.kind, 'charged')
    assert.equal(
      network.books.ledger.filter(({ custom_field }) => custom_field?.endsWith(order.idempotencyKey)).length,
      1,
    )
    assert.ok((network.books.orders.get(reference)?.captureKeys.size ?? 0) <= 1)
  })
