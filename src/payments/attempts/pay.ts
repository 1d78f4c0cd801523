import type { CardDetails, Order } from '../../connectors/connector.ts'
import { answerChallenge, giveUpChallenge } from './answer-challenge.ts'
import { askNetwork } from './ask-network.ts'
import type { BegunAttempt } from './insert-attempts-store.ts'
import { cancelPayment, type CancelledBy } from '../cancel-payment.ts'
import { orderKeyOf, settle, type PayerDeps, type PayResult } from './record-outcome.ts'
import { startAttempt } from './start-attempt.ts'
import type { PaymentKey, PaymentRow } from '../store.ts'

// What a customer can do to a payment. At most one charge, whatever is pressed how often on how many devices.

export type { PayerDeps, PayResult }

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

export function makePayer(deps: PayerDeps): Payer {
  return {
    pay: async (payment, card, language) => pay(deps, payment, card, language),
    answerChallenge: async (key, attempt, answer) => answerChallenge(deps, { ...key, attempt }, answer),
    giveUpChallenge: async (key, attempt) => giveUpChallenge(deps, { ...key, attempt }),
    cancel: async (key, by) => cancelPayment(deps, key, by),
  }
}

async function pay(
  deps: PayerDeps,
  payment: Payable,
  card: CardDetails,
  language?: string,
): Promise<PayResult> {
  const connector = deps.connectors.find(({ mode }) => mode === payment.mode)
  if (!connector) return { kind: 'unavailable' }
  const summary = connector.readCard(card)
  if (!summary) return { kind: 'refused_card' }

  const started = await startAttempt(deps, payment, connector, summary, language)
  if (started.kind !== 'started') return started
  const outcome = await askNetwork(deps.log, async (signal) =>
    connector.charge(makeOrder(started.attempt, connector.mode, card), signal),
  )
  return settle(deps, started.attempt, outcome)
}

function makeOrder(attempt: BegunAttempt, mode: PaymentRow['mode'], card: CardDetails): Order {
  const { amount_minor: amountMinor, currency } = attempt
  return { ...orderKeyOf(attempt), mode, amountMinor, currency, card }
}
