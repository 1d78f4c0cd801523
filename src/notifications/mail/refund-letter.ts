import { displayAmount } from '../../money/money.ts'
import type { Letter } from './mail-layout.ts'

// A letter to the merchant about a refund that did not go through: what happened, and what to do.

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

export function refundFailedLetter(
  facts: RefundFailedMail,
  context: { merchantName: string; isTest: boolean },
): Letter {
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
      ['Failure', facts.failure.replaceAll('_', ' ')],
      ['Refund reference', facts.refundRef],
      ['Reference', facts.reference],
      ['Order', facts.txRef],
    ],
    footer: `You get this mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function whatHappened({ cameBack }: RefundFailedMail, amount: string): string {
  return cameBack
    ? `${amount} had gone back to your customer, and their bank sent it home: the account may be closed. The money is with you again. Your customer was told before that it is on its way.`
    : `Your network did not give ${amount} back to your customer. The money is still with you. Your customer was not told of this refund.`
}

function whatToDo({ failure, cameBack }: RefundFailedMail): string {
  const again = 'try again with a new refund_ref, or pay your customer another way, such as by bank transfer'
  if (cameBack)
    return `Ask your customer where the money should go, and pay them another way, such as by bank transfer.`
  if (failure === 'never_arrived') return `The network never got the refund. You can ${again}.`
  return `Look at the charge in the dashboard of your network: a balance that is too low, or a charge that was disputed, is told there. Then ${again}.`
}
