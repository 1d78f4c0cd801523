import type { CustomerMail } from '../../notifications/mail/compose-mail.ts'
import type { Attached, Enclosed } from '../../notifications/mail/send-mail.ts'
import { plainText } from '../../input/isolate.ts'
import { displayMoney, displayTime, english, languages } from '../language.ts'
import { openFonts } from './pdf/fonts.ts'
import { margin, Sheet, type Style } from './pdf/sheet.ts'
import { writable } from './pdf/writable.ts'
import { a4, writePdf } from './pdf/write-pdf.ts'

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
  /** Of the merchant. */
  readonly timeZone: string | undefined
  readonly isTest: boolean
}

const valueAt = 220
const right = a4.width - margin
const lineHeight = 16
const nameStyle: Style = { size: 15, weight: 'bold', direction: 'auto' }
const quiet: Style = { grey: 0.35 }
const theirs: Style = { direction: 'auto' }

export async function drawRefundPdf(receipt: RefundReceipt): Promise<Buffer> {
  const language = languages.find(({ code }) => code === receipt.language) ?? english
  const { words } = language
  const sheet = new Sheet(await openFonts(), language.direction)
  const say = (minor: bigint): string => writable(displayMoney(minor, receipt.currency, language))
  for (const row of sheet.wrap(writable(receipt.merchantName), right - margin, nameStyle)) {
    sheet.start(margin, row, nameStyle)
    sheet.y -= 20
  }
  sheet.y -= 12
  sheet.start(margin, words.refundReceipt, quiet)
  sheet.y -= 44
  sheet.start(margin, say(receipt.refundedMinor), { size: 34, weight: 'bold' })
  sheet.y -= 28
  sheet.rule()
  sheet.y -= 28
  drawFact(sheet, words.amount, say(receipt.paidMinor), {})
  drawFact(sheet, words.refundReason, receipt.reason ?? '', theirs)
  drawFact(sheet, words.date, displayTime(receipt.at, language, receipt.timeZone), {})
  drawFact(sheet, words.orderReference, receipt.txRef, theirs)
  drawFact(sheet, words.reference, receipt.reference, {})
  drawFact(sheet, words.refundReceipt, receipt.refundRef, theirs)
  sheet.rule()
  sheet.y -= 22
  if (receipt.isTest) sheet.start(margin, words.testReceipt, { weight: 'bold' })
  return writePdf({
    title: `${words.refundReceipt} ${receipt.refundRef}`,
    language: language.code,
    pages: sheet.pages(),
  })
}

function drawFact(sheet: Sheet, label: string, value: string, style: Style): void {
  const rows = sheet.wrap(writable(plainText(value)), right - valueAt, style)
  if (rows.length === 0) return
  sheet.keep(rows.length * lineHeight)
  sheet.start(margin, label, quiet)
  for (const row of rows) {
    sheet.start(valueAt, row, style)
    sheet.y -= lineHeight
  }
  sheet.y -= 8
}

/** What goes with a mail to a customer. Without a merchant's name it would be a receipt from nobody. */
export function attachReceipt({ facts, context }: Attached): Enclosed | undefined {
  if (!isRefund(facts) || writable(context.merchantName) === '') return undefined
  const { refundRef = facts.reference } = facts
  return {
    filename: `refund-${facts.reference.replace(/[^\w-]/g, '')}.pdf`,
    contentType: 'application/pdf',
    draw: async () =>
      drawRefundPdf({
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
        timeZone: context.brand?.timeZone,
        isTest: context.isTest,
      }),
  }
}

function isRefund(facts: Attached['facts']): facts is CustomerMail {
  return facts.template === 'refund'
}
