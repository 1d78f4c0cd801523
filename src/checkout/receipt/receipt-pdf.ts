import { plainText } from '../../input/isolate.ts'
import type { Picture } from '../../merchants/pictures/pictures.ts'
import { itemLines } from '../pages/shop/items.ts'
import { companyLines } from '../pages/shop/shop.ts'
import { receiptLines, type ReceiptLine } from '../pages/receipt.ts'
import { say, type PageModel } from '../page-model.ts'
import { openFonts } from './pdf/fonts.ts'
import { margin, Sheet, type Style } from './pdf/sheet.ts'
import { writable } from './pdf/writable.ts'
import { a4, writePdf } from './pdf/write-pdf.ts'

// The receipt on A4, in the customer's language and with its letters. A name in a script that the fonts do not have is left out,
// and the reference stays.

const valueAt = 220
const right = a4.width - margin
const lineHeight = 16
const nameStyle: Style = { size: 15, weight: 'bold', direction: 'auto' }
const nameLineHeight = 20
const quiet: Style = { grey: 0.35 }
const bold: Style = { weight: 'bold' }
const theirs: Style = { direction: 'auto' }
const small: Style = { size: 9, grey: 0.35, direction: 'auto' }
const logoMax = { width: 160, height: 48 }

/** Without the merchant's name it would be a receipt from nobody: then there is only the page to print. */
export function hasReceiptPdf({ view }: PageModel): boolean {
  return writable(view.merchantName) !== ''
}

export async function drawReceiptPdf(model: PageModel, logo?: Picture): Promise<Buffer> {
  const { language, view } = model
  const sheet = new Sheet(await openFonts(), language.direction)
  const picture = logo && fitted(logo)
  if (picture) sheet.y -= picture.height
  drawHead(sheet, model)
  drawItems(sheet, model)
  for (const line of receiptLines(model)) drawFact(sheet, model, line)
  sheet.rule()
  sheet.y -= 22
  for (const note of notesOf(model)) drawNote(sheet, note, bold)
  drawShop(sheet, model)
  return writePdf({
    title: `${language.words.receipt} ${view.payment.reference}`,
    language: language.code,
    pages: sheet.pages(picture),
    ...(logo && { picture: logo }),
  })
}

/** No larger than it is, and no larger than a letterhead. */
function fitted({ width, height }: Picture): { width: number; height: number } {
  const share = Math.min(1, logoMax.width / width, logoMax.height / height)
  return { width: width * share, height: height * share }
}

function drawHead(sheet: Sheet, model: PageModel): void {
  const { words } = model.language
  for (const row of sheet.wrap(writable(model.view.merchantName), right - margin, nameStyle)) {
    sheet.start(margin, row, nameStyle)
    sheet.y -= nameLineHeight
  }
  sheet.y -= 12
  sheet.start(margin, words.receipt, quiet)
  sheet.y -= 44
  sheet.start(margin, writable(model.amount), { size: 34, weight: 'bold' })
  sheet.y -= 28
  sheet.rule()
  sheet.y -= 28
}

const amountWidth = 120

function drawItems(sheet: Sheet, model: PageModel): void {
  const lines = itemLines(model)
  for (const { name, amount, isTax } of lines) {
    const style = isTax ? quiet : theirs
    const rows = sheet.wrap(writable(name), right - margin - amountWidth, style)
    sheet.keep(Math.max(1, rows.length) * lineHeight)
    sheet.end(right, amount, isTax ? quiet : {})
    for (const row of rows) {
      sheet.start(margin, row, style)
      sheet.y -= lineHeight
    }
    if (rows.length === 0) sheet.y -= lineHeight
    sheet.y -= 2
  }
  if (lines.length === 0) return
  sheet.y -= 2
  sheet.rule()
  sheet.y -= 24
}

function drawFact(sheet: Sheet, model: PageModel, line: ReceiptLine): void {
  const style = line.isOurs || line.instant !== undefined ? {} : theirs
  const rows = sheet.wrap(writable(plainText(line.value)), right - valueAt, style)
  if (rows.length === 0) return
  sheet.keep(rows.length * lineHeight)
  sheet.start(margin, model.language.words[line.label], quiet)
  for (const row of rows) {
    sheet.start(valueAt, row, style)
    sheet.y -= lineHeight
  }
  sheet.y -= 8
}

function drawNote(sheet: Sheet, note: string, style: Style): void {
  const rows = sheet.wrap(note, right - margin, style)
  sheet.keep(rows.length * lineHeight)
  for (const row of rows) {
    sheet.start(margin, row, style)
    sheet.y -= lineHeight
  }
}

/** What became of the money since, and whether there was any. */
function notesOf(model: PageModel): string[] {
  const { words } = model.language
  const { state, mode } = model.view.payment
  const notes: string[] = []
  if (state === 'refunded') notes.push(words.refundedTitle)
  if (state === 'reversed') {
    notes.push(`${words.reversedTitle}. ${writable(say(model, 'reversedBody'))}`.trim())
  }
  if (mode === 'test') notes.push(words.testReceipt)
  return notes
}

/** Who was paid, as the law wants it on a receipt: address, numbers, and how to reach them. */
function drawShop(sheet: Sheet, { view, language }: PageModel): void {
  const { brand } = view
  const lines = [
    brand.address.join(', '),
    companyLines(brand, language.words).join(' · '),
    [brand.supportEmail, brand.supportPhone, brand.website].filter((one) => one !== undefined).join(' · '),
  ]
  sheet.y -= 8
  for (const line of lines) if (writable(line) !== '') drawNote(sheet, writable(line), small)
}
