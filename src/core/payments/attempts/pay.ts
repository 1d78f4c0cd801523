import type { CardDetails, CardSummary, FormConnector, Order } from '../../networks/connector.ts'
import type { Connector } from '../../networks/hosted.ts'
import { answerChallenge, giveUpChallenge } from './answer-challenge.ts'
import { askNetwork } from './ask-network.ts'
import type { Asker } from '../card-testing/judge.ts'
import type { BegunAttempt } from './insert-attempts-store.ts'
import { cancelPayment, type CancelledBy } from '../cancel-payment.ts'
import { chooseMethod } from './hosted/choose-method.ts'
import { leavePage } from './hosted/leave-page.ts'
import { lookAgain, type VisitOrigin, type Looked } from './hosted/look-again.ts'
import { offersFor, type Offered } from './hosted/offers.ts'
import { orderKeyOf, recordOutcome, type PayResult } from './record-outcome.ts'
import type { Traced } from './start-attempt.ts'
import type { PaymentKey, PaymentRow } from '../store.ts'
import { takesDays, type Paying } from './paying.ts'
import type { HostedChoice } from './start-attempt.ts'

// What a customer can do to a payment. At most one charge, however often and on however many devices buttons are
// pressed.

export type { Asker, PayResult }

/** The mode says which network; starting the attempt checks it against the payment. */
export type Payable = PaymentKey & Pick<PaymentRow, 'mode'>

export type Payer = {
  /** `language`: of the page, for the receipt. `asker`: whose declines are counted; without one none are. */
  /** `saves`: the customer agreed, on this page, that the card is saved for later charges. */
  pay(
    payment: Payable,
    card: CardDetails,
    language?: string,
    asker?: Asker,
    saves?: boolean,
  ): Promise<PayResult>
  answerChallenge(key: PaymentKey, attempt: number, answer: 'approve' | 'refuse'): Promise<PayResult>
  /** The customer wants another card instead of the 3-D Secure page; the payment can be paid again afterwards. */
  giveUpChallenge(key: PaymentKey, attempt: number): Promise<PayResult>
  /** The methods besides a card on our own page. */
  offers(
    payment: Pick<PaymentRow, 'merchant_id' | 'mode' | 'amount_minor' | 'currency' | 'saving'>,
  ): Promise<Offered>
  /** Whether an account is a network's own place to try things out. */
  isSandbox(merchantId: number, accountId: string): Promise<boolean>
  /** A network as people know it, by the name of its connector. */
  labelOf(connector: string): string
  /** Whether a network, by the name of its connector, takes days once the customer has done their part. `isTold`: see `TakesDays`. */
  takesDays(connector: string, isTold: boolean): boolean
  /** `action_required`: the network's own page is open, and the attempt knows its address. */
  choose(key: PaymentKey, choice: HostedChoice, language: string): Promise<PayResult>
  /** Somebody looks at a payment that may be paid on a network's page: it is asked, though not at every look. */
  lookAgain(key: PaymentKey, came: VisitOrigin): Promise<Looked>
  /** Throws Refusal not_cancellable, with the reason; cancelling twice is no mistake. */
  cancel(key: PaymentKey, by: CancelledBy): Promise<PaymentRow>
}

export function makePayer(paying: Paying): Payer {
  return {
    pay: async (payment, card, language, asker, saves = false) =>
      pay(paying, { payment, card, language, asker, saves }),
    answerChallenge: async (key, attempt, answer) => answerChallenge(paying, { ...key, attempt }, answer),
    giveUpChallenge: async (key, attempt) => giveUpChallenge(paying, { ...key, attempt }),
    offers: async (payment) => offersFor(paying, payment),
    isSandbox: async (merchantId, accountId) =>
      (await paying.accounts.byId(merchantId, accountId))?.sandbox ?? false,
    labelOf: (connector) => labelOf(paying.connectors, connector),
    takesDays: (connector, isTold) => takesDays(paying.connectors, connector, isTold),
    choose: async (key, choice, language) => chooseMethod(paying, key, choice, language),
    lookAgain: async (key, came) => lookAgain(paying, key, came),
    cancel: async (key, by) => cancelPayment(paying, key, by),
  }
}

type CardPaymentRequest = {
  readonly payment: Payable
  readonly card: CardDetails
  readonly language: string | undefined
  readonly asker: Asker | undefined
  readonly saves: boolean
}

async function pay(paying: Paying, request: CardPaymentRequest): Promise<PayResult> {
  const { payment, card, asker } = request
  const testing = paying.cardTesting
  const connector = paying.connectors.find(takesCards(payment.mode))
  if (!connector || (await paying.isSuspended(payment.merchantId))) return { kind: 'unavailable' }
  const summary = connector.readCard(card)
  if (!summary) return { kind: 'refused_card' }

  if (!testing || !asker) return charge(paying, request, connector, summary)
  const trace = {
    addressHash: await testing.marks.address(payment.merchantId, asker.address),
    cardFingerprint: await testing.marks.card(payment.merchantId, card.number),
  }
  const leave = await testing.line.enter([trace.addressHash, trace.cardFingerprint])
  if (!leave) return { kind: 'wait', until: new Date(paying.now().getTime() + crowdedWaitMs) }
  let result: PayResult | undefined
  try {
    result = await charge(paying, request, connector, summary, { trace, provenFor: asker.provenFor })
  } finally {
    leave(result?.kind === 'paid' || result?.kind === 'declined' ? result.kind : 'open')
  }
  if (result.kind === 'wait') testing.metrics.refused('wait')
  if (result.kind === 'proof_needed') testing.metrics.refused('proof')
  return result
}

const crowdedWaitMs = 5_000

async function charge(
  paying: Paying,
  { payment, card, language, saves }: CardPaymentRequest,
  connector: FormConnector,
  summary: CardSummary,
  traced?: Traced,
): Promise<PayResult> {
  const start = async () => paying.startAttempt(payment, connector, summary, language, traced)
  let started = await start()
  if (started.kind === 'in_flight' && (await leavePage(paying, payment))) started = await start()
  if (started.kind !== 'started') return started
  const outcome = await askNetwork(paying.log, async (signal) =>
    connector.charge(makeOrder(started.attempt, connector.mode, card, saves), signal),
  )
  return recordOutcome(paying, started.attempt, outcome)
}

function labelOf(connectors: readonly Connector[], name: string): string {
  const found = connectors.find((connector) => connector.name === name)
  return found?.kind === 'hosted' ? found.label : name
}

/** Cards are typed on our own page in test mode only: the type of such a connector allows no other. */
function takesCards(mode: PaymentRow['mode']) {
  return (connector: Connector): connector is FormConnector =>
    connector.kind === 'form' && connector.mode === mode
}

function makeOrder(attempt: BegunAttempt, mode: 'test', card: CardDetails, saves: boolean): Order {
  const { amount_minor: amountMinor, currency } = attempt
  return { ...orderKeyOf(attempt), mode, amountMinor, currency, card, ...(saves && { save: true }) }
}
