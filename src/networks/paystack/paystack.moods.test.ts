import { endsWellInEveryMood } from '../../../test/support/networks/moods-contract.ts'
import { openPaystack } from '../../../test/support/networks/open-networks.ts'

endsWellInEveryMood('Paystack', async (options) => {
  const world = await openPaystack(options)
  const { books } = world.network
  return {
    ...world,
    saves500: false,
    paths: { open: /initialize$/, refund: /refund$/ },
    looksFirst: true,
    tellsAgain: false,
    pay: ({ connectorReference }) => world.network.act(connectorReference, 'pay'),
    pages: ({ idempotencyKey }) => (books.transactions.has(idempotencyKey) ? 1 : 0),
    refunds: ({ idempotencyKey }) =>
      [...books.refunds.values()].filter(({ merchant_note: note }) => note === `florin ${idempotencyKey}`)
        .length,
  }
})
