import type { AttemptRow } from '../../payments/support/payment-story.ts'

// How attempts are spoken of.

const reasons: Readonly<Record<NonNullable<AttemptRow['decline_reason']>, string>> = {
  declined: 'The bank declined it without a reason',
  insufficient_funds: 'Not enough money on the card',
  expired_card: 'The card has expired',
  wrong_cvc: 'The security code was wrong',
  processing_error: 'The network had an error',
  challenge_refused: 'The customer refused on the 3-D Secure page',
  challenge_abandoned: 'The customer left the 3-D Secure page',
}

export function sayReason(reason: NonNullable<AttemptRow['decline_reason']>): string {
  return reasons[reason]
}

const networks: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  gocardless: 'GoCardless',
  test: 'test network',
  'test-network': 'test network',
  'test-bank': 'test bank',
  test_bank: 'test bank',
}

/** Visa •••• 4242, by the test network. */
export function sayMethod({ card_brand, card_last4, method, connector }: AttemptRow): string {
  const by = networks[connector] ?? connector
  if (card_brand !== null && card_last4 !== null) return `${card_brand} •••• ${card_last4}, ${by}`
  return `${method === 'bank' ? 'Bank payment' : 'Card'}, ${by}`
}
