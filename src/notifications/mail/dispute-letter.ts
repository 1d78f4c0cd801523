import { isCurrency } from '../../money/currencies.ts'
import { displayAmount } from '../../money/money.ts'
import type { Letter } from './mail-layout.ts'

// Letters to the merchant about a dispute: what happened, what to do, until when.

const templates = ['dispute_opened', 'dispute_won', 'dispute_lost'] as const
type Template = (typeof templates)[number]

export type DisputeMail = {
  readonly template: Template
  /** The connector's name. */
  readonly network: string
  readonly reason: string
  readonly evidenceDueAt: string | null
  readonly moneyTaken: boolean
  /** A sentence that says how much more went out than came in. Mails of earlier versions don't have it. */
  readonly loss?: string | null
  readonly amountMinor: string
  readonly currency: string
  readonly reference: string
  readonly txRef: string
}

type Said = DisputeMail & { readonly amount: string; readonly due: string | undefined }
type Told = { readonly heading: string; readonly paragraphs: (said: Said) => readonly string[] }

const told: Readonly<Record<Template, Told>> = {
  dispute_opened: {
    heading: 'A customer disputes a payment',
    paragraphs: (said) => [
      `The customer’s bank asks for ${said.amount} back. ${
        said.moneyTaken
          ? 'It has taken the money for as long as the dispute lasts, and the payment is marked as reversed.'
          : 'No money was taken so far.'
      } While the dispute is open nothing of this payment can be refunded.`,
      said.due === undefined
        ? 'There is nothing for you to do now. We tell you when it is decided.'
        : `Answer by ${said.due}: send the proof of delivery, the invoice and what you wrote to one another in the dashboard of ${said.network}. Without an answer the dispute is lost. If the customer is right, accept the dispute there.`,
    ],
  },
  dispute_won: {
    heading: 'A dispute was decided for you',
    paragraphs: (said) => [
      said.moneyTaken
        ? `The bank gives back the ${said.amount} that it took. They are on their way: the payment stays reversed until they are there.`
        : 'The money is yours. You need not do anything.',
    ],
  },
  dispute_lost: {
    heading: 'A dispute was lost',
    paragraphs: (said) => [
      said.moneyTaken
        ? `The bank keeps the ${said.amount} that it took, and has given them to the customer. The payment is marked as reversed: treat the order as unpaid, and do not refund it as well.`
        : 'The bank decided for the customer. No money was taken from you in this dispute.',
    ],
  },
}

export function isDisputeMail<Facts extends { template: string }>(
  facts: Facts,
): facts is Extract<Facts, DisputeMail> {
  return (templates as readonly string[]).includes(facts.template)
}

export function disputeLetter(
  facts: DisputeMail,
  context: { merchantName: string; isTest: boolean },
  sayTime: (at: string, locale: string) => string,
): Letter {
  const { heading, paragraphs } = told[facts.template]
  const amount = sayMoney(facts)
  const due = facts.evidenceDueAt === null ? undefined : sayTime(facts.evidenceDueAt, 'en-GB')
  return {
    language: 'en',
    tone: facts.template === 'dispute_won' ? 'good' : 'bad',
    subject: `${heading}: ${facts.txRef}`,
    from: context.merchantName,
    heading,
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [...paragraphs({ ...facts, amount, due }), ...lossIn(facts)],
    rows: [
      ['Disputed', amount],
      ['Reason', facts.reason.replaceAll('_', ' ')],
      ...(due === undefined ? [] : [['Answer by', due] as const]),
      ['Network', facts.network],
      ['Reference', facts.reference],
      ['Order', facts.txRef],
    ],
    footer: `You get this mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function lossIn({ template, loss }: DisputeMail): readonly string[] {
  if (loss === undefined || loss === null) return []
  return [template === 'dispute_opened' ? `${loss} Send the bank proof of the refund.` : loss]
}

/** A network may name a currency that we do not know: then its own figure is all that can be said. */
function sayMoney({ amountMinor, currency }: DisputeMail): string {
  return isCurrency(currency)
    ? displayAmount(BigInt(amountMinor), currency, 'en-GB')
    : `${amountMinor} ${currency} (in its smallest unit)`
}
