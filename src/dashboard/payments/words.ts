import type { PaymentMethod } from '../../platform/money/payment-methods.ts'
import type { AttemptRow } from '../../core/payments/support/payment-story.ts'
import type { Ask } from '../ask.ts'
import { networkName } from '../network-name.ts'

// Words for attempts.

const testNetworks: Readonly<Record<string, string>> = {
  'test-network': 'test network',
  'test-bank': 'test bank',
}

const methods: Readonly<Record<Exclude<PaymentMethod, 'wallet'>, string>> = {
  card: 'Card',
  bank: 'Bank payment',
  mobile_money: 'Mobile money',
}

export function networkLabel(ask: Pick<Ask, 'dashboard'>, connector: string): string {
  return testNetworks[connector] ?? networkName(ask, connector)
}

/** Visa •••• 4242, test network. */
export function describeMethod(
  ask: Pick<Ask, 'dashboard'>,
  { card_brand, card_last4, method, connector }: AttemptRow,
): string {
  const by = networkLabel(ask, connector)
  if (card_brand !== null && card_last4 !== null) return `${card_brand} •••• ${card_last4}, ${by}`
  return method === 'wallet' ? by : `${methods[method ?? 'card']}, ${by}`
}

/** card_closed as “Card closed”. */
export function spelledOut(event: string): string {
  const text = event.replaceAll('_', ' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
