import { isCurrency } from '../../money/currencies.ts'
import { displayAmount } from '../../money/money.ts'
import type { Letter } from './mail-layout.ts'

// Letters to the merchant about money that a network took otherwise than it was asked to.

const templates = ['charge_held', 'charge_surplus', 'charge_stuck'] as const
type Template = (typeof templates)[number]

export type UnusualCharge = {
  readonly template: Template
  readonly reference: string
  readonly txRef: string
  readonly amountMinor: string
  readonly currency: string
  readonly chargedMinor: string
  readonly chargedCurrency: string
}

type Told = { readonly heading: string; readonly paragraphs: (amounts: Amounts) => readonly string[] }
type Amounts = { readonly owed: string; readonly charged: string }

const told: Readonly<Record<Template, Told>> = {
  charge_held: {
    heading: 'A payment was charged with another amount',
    paragraphs: ({ owed, charged }) => [
      `Your payment network says that it took ${charged} for a payment of ${owed}. We hold the payment: it is not marked as paid, and your customer can't pay it again.`,
      'Look at the charge in the dashboard of the network. Do not send the goods before you know which amount is right. To give the money back and let your customer pay anew: florin held return',
    ],
  },
  charge_surplus: {
    heading: 'A customer was charged twice, and gets the second charge back',
    paragraphs: ({ charged }) => [
      `Your payment network took ${charged} for a payment that needed no more money. We have asked the network to send this back to your customer, and go on asking until it says that it is done.`,
      'You need not do anything. The payment itself stays as it is.',
    ],
  },
  charge_stuck: {
    heading: 'A second charge could not be sent back',
    paragraphs: ({ charged }) => [
      `Your payment network took ${charged} that your customer does not owe, and says that it can't send this back.`,
      'Please refund this charge in the dashboard of the network, or ask its support.',
    ],
  },
}

export function isUnusualCharge<Facts extends { template: string }>(
  facts: Facts,
): facts is Extract<Facts, UnusualCharge> {
  return (templates as readonly string[]).includes(facts.template)
}

export function unusualChargeLetter(
  facts: UnusualCharge,
  context: { merchantName: string; isTest: boolean },
): Letter {
  const { heading, paragraphs } = told[facts.template]
  const owed = sayMoney(facts.amountMinor, facts.currency)
  const charged = sayMoney(facts.chargedMinor, facts.chargedCurrency)
  return {
    language: 'en',
    tone: 'bad',
    subject: `${heading}: ${facts.txRef}`,
    from: context.merchantName,
    heading,
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [...paragraphs({ owed, charged })],
    rows: [
      ['Payment', owed],
      ['Charged', charged],
      ['Reference', facts.reference],
      ['Order', facts.txRef],
    ],
    footer: `You get this mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

/** A network may name a currency that we do not know: then its own figure is all that can be said. */
function sayMoney(minor: string, currency: string): string {
  return isCurrency(currency)
    ? displayAmount(BigInt(minor), currency, 'en-GB')
    : `${minor} ${currency} (in its smallest unit)`
}
