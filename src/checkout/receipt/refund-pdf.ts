import { plainBrand, type Brand } from '../../merchants/brand/brand.ts'
import type { Picture, Pictures } from '../../merchants/pictures/pictures.ts'
import type { CustomerMail } from '../../notifications/mail/compose-mail.ts'
import type { Attach, Attached, Enclosed } from '../../notifications/mail/send-mail.ts'
import { displayMoney, displayTime, english, languages } from '../language.ts'
import { openFonts } from './pdf/fonts.ts'
import { Sheet } from './pdf/sheet.ts'
import { writable } from './pdf/writable.ts'
import { writePdf } from './pdf/write-pdf.ts'
import { drawFact, drawHead, drawNote, drawShop, placeLogo, theirs } from './receipt-parts.ts'

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

export async function drawRefundPdf(receipt: RefundReceipt, logo?: Picture): Promise<Buffer> {
  const language = languages.find(({ code }) => code === receipt.language) ?? english
  const { words } = language
  const sheet = new Sheet(await openFonts(), language.direction)
  const picture = placeLogo(sheet, logo)
  const say = (minor: bigint): string => writable(displayMoney(minor, receipt.currency, language))
  drawHead(sheet, receipt.merchantName, words.refundReceipt, say(receipt.refundedMinor))
  drawFact(sheet, words.amount, say(receipt.paidMinor), theirs)
  drawFact(sheet, words.refundReason, receipt.reason ?? '', theirs)
  drawFact(sheet, words.date, displayTime(receipt.at, language, receipt.brand.timeZone), {})
  drawFact(sheet, words.orderReference, receipt.txRef, theirs)
  drawFact(sheet, words.reference, receipt.reference, {})
  drawFact(sheet, words.refundReceipt, receipt.refundRef, theirs)
  sheet.rule()
  sheet.y -= 22
  if (receipt.isTest) drawNote(sheet, words.testReceipt, { weight: 'bold' })
  drawShop(sheet, receipt.brand, language)
  return writePdf({
    title: `${words.refundReceipt} ${receipt.refundRef}`,
    language: language.code,
    pages: sheet.pages(picture),
    ...(logo && { picture: logo }),
  })
}

/** What goes with a mail to a customer. */
export function makeAttachReceipt(pictures: Pick<Pictures, 'byId'>): Attach {
  return (mail) => attachReceipt(mail, async () => storedLogo(pictures, mail.context.logoUrl))
}

/** Of those that are stored: nobody waits for a stranger's server to get a receipt. */
export async function storedLogo(
  pictures: Pick<Pictures, 'byId'>,
  address: string | undefined,
): Promise<Picture | undefined> {
  const [, merchantId, id] = /\/logo\/(\d+)\/([\da-f]{32})$/.exec(address ?? '') ?? []
  return id === undefined ? undefined : pictures.byId(Number(merchantId), id)
}

/** Without a merchant's name it would be a receipt from nobody. */
function attachReceipt(
  { facts, context }: Attached,
  findLogo: () => Promise<Picture | undefined>,
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
    draw: async () => drawRefundPdf(receipt, await findLogo()),
  }
}

function isRefund(facts: Attached['facts']): facts is CustomerMail {
  return facts.template === 'refund'
}
