import { isDrawnRef } from '../../../platform/input/drawn-ref.ts'
import { plainText } from '../../../platform/input/isolate.ts'
import { plainBrand, type Brand } from '../../../core/merchants/brand/brand.ts'
import { storedLogo, type StoredPictures } from '../../../core/checkout/receipt/stored-logo.ts'
import type { CustomerMail } from '../../../core/notifications/mail/compose-mail.ts'
import type { Attach, Attached, Enclosed } from '../../../core/notifications/mail/send-mail.ts'
import { displayMoney, displayTime, findLanguage } from '../../../core/checkout/language.ts'
import type { Paper, PaperFact } from '../../../core/checkout/receipt/draw-paper.ts'
import type { ReceiptFiles } from '../../../core/checkout/receipt/files/receipt-files.ts'
import { writable } from '../../../platform/pdf/writable.ts'
import { shopLines } from '../../../core/checkout/receipt/receipt-pdf.ts'

// The receipt of one refund, on A4 like that of the payment and with its letters. The same
// file comes with the mail and from the payment's page.

export type RefundReceipt = {
  readonly merchantName: string
  readonly language: string
  readonly refundedMinor: bigint
  readonly paidMinor: bigint
  readonly currency: string
  readonly reason: string | undefined
  readonly refundRef: string
  readonly reference: string
  readonly txRef: string
  readonly at: string
  readonly brand: Brand
  readonly isTest: boolean
}

export function refundPaper(receipt: RefundReceipt): Paper {
  const language = findLanguage(receipt.language)
  const { words } = language
  const format = (minor: bigint): string => writable(displayMoney(minor, receipt.currency, language))
  const theirs = (label: string, value: string): PaperFact => ({ label, value: writable(plainText(value)) })
  return {
    title: `${words.refundReceipt} ${receipt.refundRef}`,
    language: language.code,
    direction: language.direction,
    merchantName: writable(receipt.merchantName),
    heading: words.refundReceipt,
    amount: format(receipt.refundedMinor),
    items: [],
    facts: [
      theirs(words.amount, format(receipt.paidMinor)),
      theirs(words.refundReason, receipt.reason ?? ''),
      {
        ...theirs(words.date, displayTime(receipt.at, language, receipt.brand.timeZone)),
        isOurs: true,
      },
      theirs(words.orderReference, isDrawnRef(receipt.txRef) ? '' : receipt.txRef),
      { ...theirs(words.reference, receipt.reference), isOurs: true },
      theirs(words.refundReceipt, receipt.refundRef),
    ],
    notes: receipt.isTest ? [words.testReceipt] : [],
    shop: shopLines(receipt.brand, language),
  }
}

/** The attachment of a customer's e-mail. */
export function makeAttachReceipt(files: Pick<ReceiptFiles, 'inTurn'>, pictures: StoredPictures): Attach {
  return (mail) =>
    attachReceipt(mail, async (paper) =>
      files.inTurn({ paper, logo: storedLogo(pictures, mail.context.logoUrl) }),
    )
}

/** Without a merchant's name the receipt would have no sender. */
function attachReceipt(
  { facts, context }: Attached,
  draw: (paper: Paper) => Promise<Buffer>,
): Enclosed | undefined {
  if (!isRefund(facts) || writable(context.merchantName) === '') return undefined
  const { refundRef = facts.reference } = facts
  const receipt = {
    merchantName: context.merchantName,
    language: facts.language,
    refundedMinor: BigInt(facts.refundedMinor),
    paidMinor: BigInt(facts.amountMinor),
    currency: facts.currency,
    reason: facts.reason,
    refundRef,
    reference: facts.reference,
    txRef: facts.txRef,
    at: context.at,
    brand: context.brand ?? plainBrand,
    isTest: context.isTest,
  }
  return {
    filename: `refund-${facts.reference.replace(/[^\w-]/g, '')}.pdf`,
    contentType: 'application/pdf',
    draw: async () => draw(refundPaper(receipt)),
  }
}

function isRefund(facts: Attached['facts']): facts is CustomerMail {
  return facts.template === 'refund'
}
