import { displayAmount } from '../../../platform/money/money.ts'
import type { Email } from '../../../core/notifications/mail/mail-layout.ts'
import { makeMailWriter } from '../../../core/notifications/mail/mail-writer.ts'
import { describeFailure } from '../describe-failure.ts'

// An e-mail to the merchant about a refund that did not go through: what happened, and what to do.

export type RefundFailedMail = {
  readonly template: 'refund_failed'
  /** It had succeeded, and the customer's bank sent the money home. */
  readonly cameBack: boolean
  /** In the network's word. */
  readonly failure: string
  readonly amountMinor: string
  readonly currency: string
  readonly refundRef: string
  readonly reference: string
  readonly txRef: string
}

export const refundMails = makeMailWriter<RefundFailedMail>(['refund_failed'], refundFailedEmail)

function refundFailedEmail(
  facts: RefundFailedMail,
  context: { merchantName: string; isTest: boolean },
): Email {
  const heading = facts.cameBack ? 'A refund came back' : 'A refund failed'
  const amount = displayAmount(BigInt(facts.amountMinor), facts.currency, 'en-GB')
  return {
    language: 'en',
    tone: 'bad',
    subject: `${heading}: ${facts.txRef}`,
    from: context.merchantName,
    heading,
    amount: undefined,
    greeting: 'Hello,',
    paragraphs: [whatHappened(facts, amount), whatToDo(facts)],
    rows: [
      ['Refund', amount],
      ['Reason', describeFailure(facts.failure).what],
      ['Refund reference', facts.refundRef],
      ['Reference', facts.reference],
      ['Order', facts.txRef],
    ],
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function whatHappened({ cameBack }: RefundFailedMail, amount: string): string {
  return cameBack
    ? `You refunded ${amount}, but your customer’s bank returned the money: the account may be closed. You have the money again. We had already told your customer that the refund was on its way.`
    : `Your network did not refund ${amount} to your customer. You still have the money. We did not tell your customer about this refund.`
}

function whatToDo({ failure, cameBack }: RefundFailedMail): string {
  const again = 'try again with a new refund_ref, or pay your customer another way, such as by bank transfer'
  if (cameBack) return `Ask your customer how to pay them, for example by bank transfer.`
  if (failure === 'never_arrived') return `The network never received the refund. You can ${again}.`
  return `Check the charge in your network’s dashboard: it shows whether your balance is too low or the charge is disputed. Then ${again}.`
}
