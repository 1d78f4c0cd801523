import { keepsTheHostedContract } from '../../../test/support/hosted-contract.ts'
import { unitsOf } from '../../../test/support/networks/paypal-books.ts'
import { openPayPal } from '../../../test/support/networks/open-networks.ts'

keepsTheHostedContract('PayPal', async () => {
  const { network, connector, account, close } = await openPayPal()
  const { books } = network
  const capturesOf = ({ idempotencyKey }: { idempotencyKey: string }) =>
    books.ledger.filter(
      ({ transaction_event_code: code, custom_field }) =>
        code === 'T0006' && custom_field?.endsWith(idempotencyKey) === true,
    )
  return {
    connector,
    account,
    stranger: { ...account, credentials: { client_id: 'somebody', client_secret: 'else' } },
    currency: 'GBP',
    method: 'wallet',
    async pay({ connectorReference }) {
      const wasOpen = books.orders.get(connectorReference)?.status === 'PAYER_ACTION_REQUIRED'
      network.act(connectorReference, 'pay')
      return wasOpen
    },
    timesCharged: async (order) => capturesOf(order).length,
    async refundedMinor(order) {
      const ids = new Set(capturesOf(order).map(({ transaction_id }) => transaction_id))
      return books.ledger
        .filter(({ transaction_event_code: code }) => code === 'T1107')
        .filter(({ paypal_reference_id: of = '' }) => ids.has(of))
        .reduce((sum, { transaction_amount }) => sum - unitsOf(transaction_amount), 0n)
    },
    close,
  }
})
