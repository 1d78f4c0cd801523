// What evidence to send, by the bank's reason. Networks and banks ask for much the same for each reason.

export type Advice = {
  /** The bank's claim, in a sentence. */
  readonly says: string
  readonly send: readonly string[]
}

const order = 'The order as it was placed: what, when, for how much, and the e-mail address'
const letters = 'Your messages with the customer'
const terms = 'Your return and refund terms, and where the customer saw them'
const delivered = 'Proof of delivery: tracking number, date, and the address or the signature'

const advice: Readonly<Record<string, Advice>> = {
  fraudulent: {
    says: 'The cardholder says they didn’t make this payment.',
    send: [
      order,
      delivered,
      'Anything that ties the payment to the customer: IP address, earlier undisputed orders, 3-D Secure',
      letters,
    ],
  },
  unrecognized: {
    says: 'The customer doesn’t recognise the payment on their statement.',
    send: [order, 'The receipt, with your name as it appears on the statement', delivered, letters],
  },
  product_not_received: {
    says: 'The customer says the order never arrived.',
    send: [delivered, 'For a service or a download: when it was used, and from where', order, letters],
  },
  product_unacceptable: {
    says: 'The customer says the order was broken or not as described.',
    send: ['The description or picture that the customer saw when ordering', delivered, terms, letters],
  },
  credit_not_processed: {
    says: 'The customer says you promised a refund that never arrived.',
    send: ['The refund, if you made one: its date, amount and network id', terms, letters],
  },
  duplicate: {
    says: 'The customer says they were charged twice for the same thing.',
    send: ['Both orders, and what makes them different', 'The refund, if you refunded one of them', letters],
  },
  subscription_canceled: {
    says: 'The customer says they had cancelled before this payment.',
    send: [
      'Your terms for cancelling, and where the customer accepted them',
      'When it was used last',
      letters,
    ],
  },
  bank_cannot_process: { says: 'The bank could not process the payment.', send: [order, delivered] },
  check_returned: { says: 'The bank sent the payment back.', send: [order, delivered] },
  insufficient_funds: { says: 'The account did not have enough money.', send: [order, delivered] },
  incorrect_account_details: { says: 'The details of the account were wrong.', send: [order, delivered] },
}

const general: Advice = {
  says: 'The bank gave no reason that Florin knows.',
  send: [order, delivered, terms, letters],
}

export function adviceOn(reason: string): Advice {
  return Object.hasOwn(advice, reason) ? (advice[reason] ?? general) : general
}

/** `product_not_received` as “Product not received”. */
export function describeReason(reason: string): string {
  const words = reason.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
