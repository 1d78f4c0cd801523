import type { Picture } from '../../merchants/pictures/pictures.ts'
import { itemLines } from '../pages/shop/items.ts'
import { receiptLines } from '../pages/receipt.ts'
import { say, type PageModel } from '../page-model.ts'
import { openFonts } from './pdf/fonts.ts'
import { margin, Sheet, type Style } from './pdf/sheet.ts'
import { writable } from './pdf/writable.ts'
import { writePdf } from './pdf/write-pdf.ts'
import {
  drawFact,
  drawHead,
  drawNote,
  drawShop,
  lineHeight,
  placeLogo,
  quiet,
  right,
  theirs,
} from './receipt-parts.ts'

// The receipt on A4, in the customer's language and with its letters. A name in a script that the fonts do not have is left out,
// and the reference stays.

const bold: Style = { weight: 'bold' }

/** Without the merchant's name it would be a receipt from nobody: then there is only the page to print. */
export function hasReceiptPdf({ view }: PageModel): boolean {
  return writable(view.merchantName) !== ''
}

export async function drawReceiptPdf(model: PageModel, logo?: Picture): Promise<Buffer> {
  const { language, view } = model
  const sheet = new Sheet(await openFonts(), language.direction)
  const picture = placeLogo(sheet, logo)
  drawHead(sheet, view.merchantName, language.words.receipt, model.amount)
  drawItems(sheet, model)
  for (const line of receiptLines(model)) {
    const isInOurWords = line.isOurs || line.instant !== undefined
    drawFact(sheet, language.words[line.label], line.value, isInOurWords ? {} : theirs)
  }
  sheet.rule()
  sheet.y -= 22
  for (const note of notesOf(model)) drawNote(sheet, note, bold)
  drawShop(sheet, view.brand, language)
  return writePdf({
    title: `${language.words.receipt} ${view.payment.reference}`,
    language: language.code,
    pages: sheet.pages(picture),
    ...(logo && { picture: logo }),
  })
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
