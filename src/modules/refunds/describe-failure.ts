// Why a refund failed, for people: what happened, and what to do. Networks have their own wording; unknown reasons are
// shown as reported.

export type FailureText = { readonly what: string; readonly remedy: string }

const anotherWay =
  'Ask the customer for an account and pay them by bank transfer. Add a note to the payment, so that no one pays twice.'
const again = 'Refund the payment again.'

const closed: FailureText = {
  what: 'The customer’s card or account is closed, so the money came back.',
  remedy: anotherWay,
}
const notEnough: FailureText = {
  what: 'Your balance at the network did not cover it.',
  remedy: `Add money to your balance there, or wait for more payments. ${again}`,
}
const tooMuch: FailureText = {
  what: 'The network says the refund exceeds the payment: part of it was already refunded there.',
  remedy: 'Compare this payment’s refunds in the network’s dashboard with the refunds here.',
}
const unknownThere: FailureText = {
  what: 'The network doesn’t know this payment, or can no longer refund it.',
  remedy: `Look for the payment in the network’s dashboard. ${anotherWay}`,
}

const texts: Readonly<Record<string, FailureText>> = {
  card_closed: closed,
  lost_or_stolen_card: closed,
  expired_or_canceled_card: closed,
  bounced: closed,
  funds_returned: closed,
  insufficient_funds: notEnough,
  insufficient_balance: notEnough,
  balance_insufficient: notEnough,
  more_than_was_charged: tooMuch,
  more_than_was_paid: tooMuch,
  total_amount_confirmation_invalid: tooMuch,
  charge_already_refunded: tooMuch,
  amount_too_large: tooMuch,
  refund_amount_too_large: tooMuch,
  no_such_charge: unknownThere,
  resource_missing: unknownThere,
  resource_not_found: unknownThere,
  charge_expired_for_capture: unknownThere,
  charge_disputed: {
    what: 'This payment is disputed, and the bank decides who gets the money.',
    remedy: 'Answer or accept the dispute instead of refunding.',
  },
  charge_for_pending_refund_disputed: {
    what: 'The customer’s bank opened a dispute during the refund.',
    remedy: 'Answer or accept the dispute instead of refunding.',
  },
  declined: { what: 'The customer’s bank refused the refund.', remedy: anotherWay },
  merchant_request: { what: 'It was cancelled in the network’s dashboard.', remedy: again },
  canceled: { what: 'It was cancelled in the network’s dashboard.', remedy: again },
  cancelled: { what: 'It was cancelled in the network’s dashboard.', remedy: again },
  never_arrived: {
    what: 'The network never received it: its answer was lost, and it has no such refund.',
    remedy: again,
  },
  amount_not_possible: {
    what: 'The network can’t send this amount in this currency.',
    remedy: 'Refund another amount, or everything that is left.',
  },
}

export function describeFailure(failure: string | null): FailureText {
  const known = failure !== null && Object.hasOwn(texts, failure) ? texts[failure] : undefined
  if (known) return known
  const words = failure === null ? '' : ` It said: ${failure.replaceAll('_', ' ')}.`
  return {
    what: `The network refused to send the money.${words}`,
    remedy: `${again} If it fails as well: ${anotherWay}`,
  }
}
