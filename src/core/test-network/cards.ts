import type { CardSummary, DeclineReason } from '../networks/connector.ts'

// The cards of the test network: what it does with them, and what the checkout page says about them. All pass Luhn and
// none can belong to a real person. Those that time out are ours, after HTTP's 504 (gateway time-out).

export type TestOutcome =
  /**
   * `refund`: what becomes of a refund a moment after it was asked for; without it, it succeeds at once. `later`: why a
   * charge without the customer is declined, once the card was saved; or that it is paid, and the bank takes it back.
   */
  | {
      readonly kind: 'charged'
      readonly refund?: 'succeeds_later' | 'fails'
      readonly later?: DeclineReason | 'comes_back'
    }
  /** Charged, and a moment later the bank asks for the money back. `open`: the merchant's answer decides. */
  | { readonly kind: 'disputed'; readonly end: 'won' | 'lost' | 'open' }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** No answer now; later look-ups return `found`. */
  | { readonly kind: 'time_out'; readonly found: 'charged' | 'declined' }

export type TestCard = CardSummary & {
  /** Digits without spaces. */
  readonly number: string
  readonly outcome: TestOutcome
}

const visa = 'Visa'
const mastercard = 'Mastercard'
const amex = 'American Express'

export const testCards: readonly TestCard[] = [
  card('4242424242424242', visa, { kind: 'charged' }),
  card('5555555555554444', mastercard, { kind: 'charged' }),
  card('378282246310005', amex, { kind: 'charged' }),
  card('4000000000002685', visa, { kind: 'disputed', end: 'won' }),
  card('4000000000000259', visa, { kind: 'disputed', end: 'lost' }),
  card('4000000000004400', visa, { kind: 'disputed', end: 'open' }),
  card('4000000000003220', visa, { kind: 'challenge' }),
  card('4000000000000002', visa, { kind: 'declined', reason: 'declined' }),
  card('4000000000009995', visa, { kind: 'declined', reason: 'insufficient_funds' }),
  card('4000000000000069', visa, { kind: 'declined', reason: 'expired_card' }),
  card('4000000000000127', visa, { kind: 'declined', reason: 'wrong_cvc' }),
  card('4000000000000119', visa, { kind: 'declined', reason: 'processing_error' }),
  card('4000000000005043', visa, { kind: 'time_out', found: 'charged' }),
  card('4000000000005050', visa, { kind: 'time_out', found: 'declined' }),
  card('4000000000007726', visa, { kind: 'charged', refund: 'succeeds_later' }),
  card('4000000000005126', visa, { kind: 'charged', refund: 'fails' }),
]

/** Cards that are paid with at once, and of which later charges, without the customer, are declined or come back. */
export const savedTestCards: readonly TestCard[] = [
  card('4000002760003184', visa, { kind: 'charged', later: 'needs_customer' }),
  card('4000000000000341', visa, { kind: 'charged', later: 'insufficient_funds' }),
  card('4000000000009979', visa, { kind: 'charged', later: 'method_ended' }),
  card('4000000000000036', visa, { kind: 'charged', later: 'expired_card' }),
  card('4000000000008245', visa, { kind: 'charged', later: 'comes_back' }),
]

const allCards = [...testCards, ...savedTestCards]

/** Undefined: not a test card. Such a number is looked at here and nowhere else. */
export function findTestCard(number: string): TestCard | undefined {
  const digits = number.replace(/[\s-]/g, '')
  return allCards.find((known) => known.number === digits)
}

/** The card with this ending. */
export function findByEnding(last4: string): TestCard | undefined {
  return allCards.find((known) => known.last4 === last4)
}

/** The result of a refund to the card with this ending. */
export function refundOutcomeOf(last4: string | null): 'succeeds' | 'succeeds_later' | 'fails' {
  const outcome = testCards.find((known) => known.last4 === last4)?.outcome
  return (outcome?.kind === 'charged' ? outcome.refund : undefined) ?? 'succeeds'
}

/** As printed on the card. */
export function inGroups({ number, brand }: TestCard): string {
  const groups =
    brand === amex ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)] : number.match(/\d{1,4}/g)
  return (groups ?? []).join(' ')
}

/** The digits of its security code: on the back, or of American Express on the front. */
export function codeLength({ brand }: CardSummary): 3 | 4 {
  return brand === amex ? 4 : 3
}

function card(number: string, brand: string, outcome: TestOutcome): TestCard {
  return { number, brand, last4: number.slice(-4), outcome }
}
