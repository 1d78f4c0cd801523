import { endsWellInEveryMood } from '../../../test/support/networks/moods-contract.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'

endsWellInEveryMood('Stripe', async (options) => {
  const world = await openStripe(options)
  const { books } = world.network
  return {
    ...world,
    saves500: true,
    paths: { open: /sessions$/, refund: /refunds$/ },
    pay: ({ connectorReference }) => world.network.act(connectorReference, 'pay'),
    pages: ({ idempotencyKey }) =>
      [...books.sessions.values()].filter(({ metadata }) => metadata['florin_key'] === idempotencyKey).length,
    refunds: ({ idempotencyKey }) =>
      [...books.refunds.values()].filter(({ metadata }) => metadata['florin_key'] === idempotencyKey).length,
  }
})
