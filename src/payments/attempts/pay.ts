import type { CardDetails, Order } from '../../connectors/connector.ts'
import { answerChallenge, giveUpChallenge } from './answer-challenge.ts'
import { askNetwork } from './ask-network.ts'
import type { BegunAttempt } from './insert-attempts-store.ts'
import { cancelPayment, type CancelledBy } from '../cancel-payment.ts'
import { orderKeyOf, recordOutcome, type PayResult } from './record-outcome.ts'
import type { PaymentKey, PaymentRow } from '../store.ts'
import type { Paying } from './paying.ts'

// What a customer can do to a payment. At most one charge, whatever is pressed how often on how many devices.

export type { PayResult }

/** The mode says which network; starting the attempt checks it against the payment. */
export type Payable = PaymentKey & Pick<PaymentRow, 'mode'>

export type Payer = {
  /** `language`: in which the page was shown, for the receipt. */
  pay(payment: Payable, card: CardDetails, language?: string): Promise<PayResult>
  answerChallenge(key: PaymentKey, attempt: number, answer: 'approve' | 'refuse'): Promise<PayResult>
  /** The customer wants another card instead of the 3-D Secure page; the payment can be paid again afterwards. */
  giveUpChallenge(key: PaymentKey, attempt: number): Promise<PayResult>
  /** Throws Refusal not_cancellable, with the reason; cancelling twice is no mistake. */
  cancel(key: PaymentKey, by: CancelledBy): Promise<PaymentRow>
}

export function makePayer(paying: Paying): Payer {
  return {
    pay: async (payment, card, language) => pay(paying, payment, card, language),
    answerChallenge: async (key, attempt, answer) => answerChallenge(paying, { ...key, attempt }, answer),
    giveUpChallenge: async (key, attempt) => giveUpChallenge(paying, { ...key, attempt }),
    cancel: async (key, by) => cancelPayment(paying, key, by),
  }
}

async function pay(
  paying: Paying,
  payment: Payable,
  card: CardDetails,
  language?: string,
): Promise<PayResult> {
  const connector = paying.connectors.find(({ mode }) => mode === payment.mode)
  if (!connector) return { kind: 'unavailable' }
  const summary = connector.readCard(card)
  if (!summary) return { kind: 'refused_card' }

  const started = await paying.startAttempt(payment, connector, summary, language)
  if (started.kind !== 'started') return started
  const outcome = await askNetwork(paying.log, async (signal) =>
    connector.charge(makeOrder(started.attempt, connector.mode, card), signal),
  )
  return recordOutcome(paying, started.attempt, outcome)
}

function makeOrder(attempt: BegunAttempt, mode: 'test', card: CardDetails): Order {
  const { amount_minor: amountMinor, currency } = attempt
  return { ...orderKeyOf(attempt), mode, amountMinor, currency, card }
}
