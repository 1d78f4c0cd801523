import { isCurrency } from '../../../platform/money/currencies.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { Email } from '../../../core/notifications/mail/mail-layout.ts'
import type { Context } from '../../../core/notifications/mail/mail-facts.ts'
import { makeMailWriter } from '../../../core/notifications/mail/mail-writer.ts'
import { describeFailure } from '../describe-failure.ts'

// E-mails to the merchant about money that did not reach the bank, or that does not add up.

export type PayoutMail =
  | {
      readonly template: 'payout_failed' | 'payout_difference'
      readonly network: string
      readonly amountMinor: string
      readonly differenceMinor: string
      readonly currency: string
      readonly failure: string | null
      /** The bank had credited it, and sent it back. */
      readonly wasThere: boolean
      readonly reference: string
      readonly payoutId: string
    }
  | {
      readonly template: 'balance_difference'
      readonly network: string
      readonly differenceMinor: string
      readonly currency: string
    }

export const payoutMails = makeMailWriter<PayoutMail>(
  ['payout_failed', 'payout_difference', 'balance_difference'],
  payoutEmail,
)

function payoutEmail(
  told: PayoutMail,
  context: Pick<Context, 'merchantName' | 'isTest' | 'networkLabel'>,
): Email {
  const facts = { ...told, network: context.networkLabel?.(told.network) ?? told.network }
  const heading = headingOf(facts)
  return {
    language: 'en',
    tone: 'bad',
    subject: `${heading} (${facts.network})`,
    from: context.merchantName,
    heading,
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: paragraphsOf(facts),
    rows: rowsOf(facts),
    footer: `You get this mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function headingOf(facts: PayoutMail): string {
  if (facts.template === 'balance_difference') return 'Your balance does not match the network’s'
  if (facts.template === 'payout_difference') return 'A payout does not add up'
  return facts.wasThere ? 'Your bank sent a payout back' : 'A payout failed'
}

function paragraphsOf(facts: PayoutMail): string[] {
  const difference = format(facts.differenceMinor, facts.currency)
  if (facts.template === 'balance_difference')
    return [
      `${facts.network} reports ${difference} more for you than the bookings that Florin copied from it add up to (less, if the amount is negative).`,
      'Compare the bookings of the last days in the dashboard of your network with the Balance page. Run florin reconcile to see both figures again.',
    ]
  if (facts.template === 'payout_difference')
    return [
      `The lines that ${facts.network} lists for this payout do not add up to its amount. The difference of ${difference} is a line of its own, so that the payout adds up to what your bank shows.`,
      'Ask your network which booking is missing.',
    ]
  return [
    facts.wasThere
      ? 'Your bank had credited this payout, and sent the money back. It is with your network again.'
      : 'Your bank did not take this payout. The money is still with your network.',
    'Check the bank account in the dashboard of your network. Most networks try again once the account is right.',
  ]
}

function rowsOf(facts: PayoutMail): [string, string][] {
  if (facts.template === 'balance_difference')
    return [
      ['Network', facts.network],
      ['Difference', format(facts.differenceMinor, facts.currency)],
    ]
  return [
    ['Payout', format(facts.amountMinor, facts.currency)],
    ...(facts.failure === null ? [] : [['Reason', describeFailure(facts)] as [string, string]]),
    ['Network', facts.network],
    ['Reference there', facts.reference],
    ['Payout ID', facts.payoutId],
  ]
}

function format(minor: string, currency: string): string {
  return isCurrency(currency) ? displayAmount(BigInt(minor), currency, 'en-GB') : `${minor} ${currency}`
}
