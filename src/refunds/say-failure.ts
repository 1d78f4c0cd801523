// Why a refund failed, for people: what happened, and what to do. Networks say it in words of their own; what is not known here
// is shown as they said it.

export type SaidFailure = { readonly what: string; readonly remedy: string }

const anotherWay =
  'Ask the customer where to send the money, and pay them by bank transfer. Note it on the payment, so that nobody pays twice.'
const again = 'Refund the payment again; what failed is free to be refunded.'

const closed: SaidFailure = {
  what: 'The card or account that paid is closed, so the money came back.',
  remedy: anotherWay,
}
const notEnough: SaidFailure = {
  what: 'Your balance at the network did not cover it.',
  remedy: `Add money to your balance there, or wait for the next payments. ${again}`,
}
const tooMuch: SaidFailure = {
  what: 'The network says that more would go back than was paid: part of it was refunded there already.',
  remedy:
    'Look at this payment in the dashboard of the network, and compare what went back there with what stands here.',
}
const unknownThere: SaidFailure = {
  what: 'The network does not know this payment, or can no longer refund it.',
  remedy: `Look for the payment in the dashboard of the network. ${anotherWay}`,
}

const said: Readonly<Record<string, SaidFailure>> = {
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
    what: 'The customer’s bank disputes this payment, and decides about the money.',
    remedy: 'Answer or accept the dispute instead of refunding.',
  },
  charge_for_pending_refund_disputed: {
    what: 'The customer’s bank opened a dispute while the refund was under way.',
    remedy: 'Answer or accept the dispute instead of refunding.',
  },
  declined: { what: 'The customer’s bank refused to take the money back.', remedy: anotherWay },
  merchant_request: { what: 'It was stopped in the dashboard of the network.', remedy: again },
  canceled: { what: 'It was stopped in the dashboard of the network.', remedy: again },
  cancelled: { what: 'It was stopped in the dashboard of the network.', remedy: again },
  never_arrived: {
    what: 'The network never got it: its answer was lost, and it knows of no such refund now.',
    remedy: again,
  },
  amount_not_possible: {
    what: 'The network can not send this amount in this currency.',
    remedy: 'Refund another amount, or all that is left.',
  },
}

export function sayFailure(failure: string | null): SaidFailure {
  const known = failure !== null && Object.hasOwn(said, failure) ? said[failure] : undefined
  if (known) return known
  const words = failure === null ? '' : ` It said: ${failure.replaceAll('_', ' ')}.`
  return {
    what: `The network would not send the money.${words}`,
    remedy: `${again} If it fails as well: ${anotherWay}`,
  }
}
