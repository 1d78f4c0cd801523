import { formatTime } from '../../../core/notifications/mail/format-time.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { Email } from '../../../core/notifications/mail/mail-layout.ts'
import type { Context } from '../../../core/notifications/mail/mail-facts.ts'
import { makeMailWriter } from '../../../core/notifications/mail/mail-writer.ts'
import { describeReason } from '../evidence.ts'

// E-mails to the merchant about a dispute: what happened, what to do, until when.

const templates = ['dispute_opened', 'dispute_won', 'dispute_lost'] as const
type Template = (typeof templates)[number]

export type DisputeMail = {
  readonly template: Template
  /** The connector's name. */
  readonly network: string
  /** It is answered in Florin's dashboard. Mails of earlier versions don't have it. */
  readonly isAnsweredHere?: boolean
  readonly reason: string
  readonly evidenceDueAt: string | null
  readonly moneyTaken: boolean
  /** A sentence about the loss. Mails of earlier versions don't have it. */
  readonly loss?: string | null
  readonly amountMinor: string
  readonly currency: string
  readonly reference: string
  readonly txRef: string
}

type DisputeDetails = DisputeMail & { readonly amount: string; readonly due: string | undefined }
type MailText = {
  readonly heading: string
  readonly paragraphs: (details: DisputeDetails) => readonly string[]
}

const texts: Readonly<Record<Template, MailText>> = {
  dispute_opened: {
    heading: 'A customer disputes a payment',
    paragraphs: (details) => [
      `The customer’s bank asks for ${details.amount} back. ${
        details.moneyTaken
          ? 'It holds the money during the dispute, and the payment is marked as reversed.'
          : 'No money has been taken so far.'
      } You can’t refund this payment while the dispute is open.`,
      details.due === undefined
        ? 'You don’t need to do anything now. We’ll e-mail you the decision.'
        : `Respond by ${details.due}: send proof of delivery, the invoice and your messages with the customer ${whereOf(details)}. If you don’t respond, you lose the dispute. If the customer is right, accept the dispute there.`,
    ],
  },
  dispute_won: {
    heading: 'You won a dispute',
    paragraphs: (details) => [
      details.moneyTaken
        ? `The bank is returning the ${details.amount} it took. The payment stays reversed until the money arrives.`
        : 'You keep the money. You don’t need to do anything.',
    ],
  },
  dispute_lost: {
    heading: 'You lost a dispute',
    paragraphs: (details) => [
      details.moneyTaken
        ? `The bank has given the ${details.amount} it took to the customer. The payment is marked as reversed: treat the order as unpaid, and don’t refund it as well.`
        : 'The bank decided for the customer. No money was taken from you in this dispute.',
    ],
  },
}

function whereOf({ network, isAnsweredHere = false }: DisputeMail): string {
  return isAnsweredHere ? 'in your Florin dashboard, under Disputes' : `in the ${network} dashboard`
}

export const disputeMails = makeMailWriter<DisputeMail>(templates, disputeEmail)

function disputeEmail(
  told: DisputeMail,
  context: Pick<Context, 'merchantName' | 'isTest' | 'brand' | 'networkLabel'>,
): Email {
  const facts = { ...told, network: context.networkLabel?.(told.network) ?? told.network }
  const { heading, paragraphs } = texts[facts.template]
  const amount = formatMoney(facts)
  const due =
    facts.evidenceDueAt === null
      ? undefined
      : formatTime(facts.evidenceDueAt, 'en-GB', context.brand?.timeZone)
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
      ['Reason', describeReason(facts.reason)],
      ...(due === undefined ? [] : [['Answer by', due] as const]),
      ['Network', facts.network],
      ['Reference', facts.reference],
      ['Order', facts.txRef],
    ],
    footer: `You get this e-mail because you take payments as ${context.merchantName}.`,
    test: context.isTest ? 'This is about test mode. No money is involved.' : undefined,
  }
}

function lossIn({ template, loss }: DisputeMail): readonly string[] {
  if (loss === undefined || loss === null) return []
  return [template === 'dispute_opened' ? `${loss} Send the bank proof of the refund.` : loss]
}

/** A network may name a currency that we don't know: then only its own figure can be shown. */
function formatMoney({ amountMinor, currency }: DisputeMail): string {
  return isCurrency(currency)
    ? displayAmount(BigInt(amountMinor), currency, 'en-GB')
    : `${amountMinor} ${currency} (in its smallest unit)`
}
