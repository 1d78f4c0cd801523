import type { DeclineReason } from '../../networks/connector.ts'

// Why an attempt was declined, in words for merchants.

const reasons: Readonly<Record<DeclineReason, string>> = {
  declined: 'The bank declined it without a reason',
  insufficient_funds: 'Not enough money on the card',
  expired_card: 'The card has expired',
  wrong_cvc: 'The security code was wrong',
  processing_error: 'The network had an error',
  challenge_refused: 'The customer refused on the 3-D Secure page',
  challenge_abandoned: 'The customer left the 3-D Secure page',
  needs_customer: 'The bank wants the customer to approve it: send them to checkout_url',
  method_ended: 'The bank or the network ended the saved method for good',
  network_silent: 'The network never received it, so nothing was charged',
}

export function describeReason(reason: DeclineReason): string {
  return reasons[reason]
}

/** Undefined if the word isn't a reason. */
export function describeIfReason(word: string): string | undefined {
  return Object.hasOwn(reasons, word) ? reasons[word as DeclineReason] : undefined
}
