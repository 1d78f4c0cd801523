import type { CustomerMail } from '../../notifications/mail/compose-mail.ts'
import type { Attachment, Attached } from '../../notifications/mail/send-mail.ts'
import { displayTime, english, languages } from '../language.ts'
import { nearest, wrap, writePdf, type PdfText } from './pdf.ts'
import { amountText, writable } from './receipt-pdf.ts'

// The receipt of one refund, on one A4 page like that of the payment and by its rules of what can be written. The same
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
  readonly isTest: boolean
}

const left = 72
const valueAt = 220
const right = 523
const size = 11
const lineHeight = 16
const quiet = 0.35

export function drawRefundPdf(receipt: RefundReceipt): Buffer {
  const asked = languages.find(({ code }) => code === receipt.language) ?? english
  const language = writable(asked)
  const { words } = language
  const names = wrap(nearest(receipt.merchantName), right - left, 15, true).slice(0, 2)
  const lines: readonly (readonly [string, string])[] = [
    [words.amount, amountText(receipt.paidMinor, receipt.currency, language)],
    [words.refundReason, nearest(receipt.reason ?? '')],
    [words.date, nearest(displayTime(receipt.at, language))],
    [words.orderReference, nearest(receipt.txRef)],
    [words.reference, nearest(receipt.reference)],
    [words.refundReceipt, nearest(receipt.refundRef)],
  ]
  const texts: PdfText[] = [
    ...names.map((text, index) => ({ x: left, y: 768 - index * 20, size: 15, isBold: true, text })),
    { x: left, y: 716, size, grey: quiet, text: words.refundReceipt },
    {
      x: left,
      y: 672,
      size: 34,
      isBold: true,
      text: amountText(receipt.refundedMinor, receipt.currency, language),
    },
  ]
  let y = 616
  for (const [label, value] of lines) {
    const rows = wrap(value, right - valueAt, size)
    if (rows.length === 0) continue
    texts.push({ x: left, y, size, grey: quiet, text: label })
    rows.forEach((text, index) => texts.push({ x: valueAt, y: y - index * lineHeight, size, text }))
    y -= rows.length * lineHeight + 8
  }
  const ruledAt = y - 2
  if (receipt.isTest) texts.push({ x: left, y: y - 24, size, isBold: true, text: words.testReceipt })
  return writePdf({
    title: `${words.refundReceipt} ${nearest(receipt.refundRef)}`,
    language: language.code,
    texts,
    rules: [644, ruledAt].map((at) => ({ from: left, to: right, y: at })),
  })
}

/** What goes with a mail to a customer. Without a merchant's name it would be a receipt from nobody. */
export function attachReceipt({ facts, context }: Attached): Attachment | undefined {
  if (!isRefund(facts) || nearest(context.merchantName) === '') return undefined
  const { refundRef = facts.reference } = facts
  return {
    filename: `refund-${facts.reference.replace(/[^\w-]/g, '')}.pdf`,
    contentType: 'application/pdf',
    content: drawRefundPdf({
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
      isTest: context.isTest,
    }),
  }
}

function isRefund(facts: Attached['facts']): facts is CustomerMail {
  return facts.template === 'refund'
}
