import { isCurrency } from '../../../platform/money/currencies.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { Email } from './mail-layout.ts'

// E-mails to the merchant about money that a network took otherwise than it was asked to.

const templates = ['charge_held', 'charge_surplus', 'charge_after_end', 'charge_stuck'] as const
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

type MailText = { readonly heading: string; readonly paragraphs: (amounts: Amounts) => readonly string[] }
type Amounts = { readonly owed: string; readonly charged: string }

const texts: Readonly<Record<Template, MailText>> = {
  charge_held: {
    heading: 'A payment was charged a different amount',
    paragraphs: ({ owed, charged }) => [
      `Your payment network says that it took ${charged} for a payment of ${owed}. The payment is on hold: it is not marked as paid, and your customer can't pay it again.`,
      "Check the charge in the network's dashboard. Don't ship until you know which amount is right. To return the money and let your customer pay again: florin held return",
    ],
  },
  charge_surplus: {
    heading: 'A customer was charged twice; we are returning the second charge',
    paragraphs: ({ charged }) => [
      `Your payment network took ${charged} for a payment that was already paid. We have asked the network to return it to your customer, and will keep checking until it is done.`,
      "You don't need to do anything. The payment itself is not affected.",
    ],
  },
  charge_after_end: {
    heading: 'A customer paid after the payment had ended; we are returning the money',
    paragraphs: ({ charged }) => [
      `Your payment network took ${charged} on a page that it can't close, for a payment that had already expired, failed or been cancelled. We have asked the network to return the money to your customer, and will keep checking until it is done.`,
      "Don't ship: the payment is not paid. If your customer still wants to buy, send them a new payment.",
    ],
  },
  charge_stuck: {
    heading: 'A charge could not be returned',
    paragraphs: ({ charged }) => [
      `Your payment network took ${charged} that your customer does not owe, and says it can't return it.`,
      "Please refund this charge in the network's dashboard, or ask its support.",
    ],
  },
}

export function isUnusualCharge<Facts extends { template: string }>(
  facts: Facts,
): facts is Extract<Facts, UnusualCharge> {
  return (templates as readonly string[]).includes(facts.template)
}

export function unusualChargeEmail(
  facts: UnusualCharge,
  context: { merchantName: string; isTest: boolean },
): Email {
  const { heading, paragraphs } = texts[facts.template]
  const owed = formatMoney(facts.amountMinor, facts.currency)
  const charged = formatMoney(facts.chargedMinor, facts.chargedCurrency)
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
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

/** A network may name a currency that we don't know: then only its own figure can be shown. */
function formatMoney(minor: string, currency: string): string {
  return isCurrency(currency)
    ? displayAmount(BigInt(minor), currency, 'en-GB')
    : `${minor} ${currency} (in its smallest unit)`
}
