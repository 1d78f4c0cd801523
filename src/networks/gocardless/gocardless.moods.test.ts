import { endsWellInEveryMood } from '../../../test/support/networks/moods-contract.ts'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'

endsWellInEveryMood('GoCardless', async (options) => {
  const world = await openGoCardless(options)
  const { books } = world.network
  return {
    ...world,
    saves500: false,
    paths: { open: /billing_requests$/, refund: /refunds$/ },
    pay: ({ url }) => world.network.act(url.slice(url.lastIndexOf('/') + 1), 'pay'),
    pages: ({ idempotencyKey }) =>
      [...books.requests.values()].filter(({ metadata }) => metadata['florin_key'] === idempotencyKey).length,
    refunds: ({ idempotencyKey }) =>
      [...books.refunds.values()].filter(({ metadata }) => metadata['florin_key'] === idempotencyKey).length,
  }
})
