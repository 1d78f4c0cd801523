import type { PaymentMethod } from '../../money/payment-methods.ts'
import type { AttemptRow } from '../../payments/support/payment-story.ts'

// Words for attempts.

const networks: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  gocardless: 'GoCardless',
  paypal: 'PayPal',
  paystack: 'Paystack',
  test: 'test network',
  'test-network': 'test network',
  'test-bank': 'test bank',
  test_bank: 'test bank',
}

const methods: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  bank: 'Bank payment',
  mobile_money: 'Mobile money',
  wallet: 'Wallet',
}

/** Visa •••• 4242, test network. */
export function describeMethod({ card_brand, card_last4, method, connector }: AttemptRow): string {
  const by = networks[connector] ?? connector
  if (card_brand !== null && card_last4 !== null) return `${card_brand} •••• ${card_last4}, ${by}`
  return `${methods[method ?? 'card']}, ${by}`
}
