import { displayAmount, formatAmount } from '../../money/money.ts'
import { english, type Language } from '../language.ts'
import { receiptLines, type ReceiptLine } from '../pages/receipt.ts'
import { canWrite, nearest, wrap, writePdf, type PdfText } from './pdf.ts'
import { say, type PageModel } from '../page-model.ts'

// The receipt on one A4 page, in the fonts that every PDF reader brings. Those know Western European letters only:
// - in a language that needs others (Welsh, Polish, Arabic) the words are English; the web page prints in any language
// - an amount whose sign can't be written is given with the currency's code, as `1,234.50 PLN`
// - a name loses its pictures and the accents that can't be written (`Żółć` becomes `Zólc`); a name in another script is
//   left out, and the reference stays

const left = 72
const valueAt = 220
const right = 523
const top = 748
const size = 11
const lineHeight = 16
const nameSize = 15
const nameLineHeight = 20
const quiet = 0.35

/** Without the merchant's name it would be a receipt from nobody: then there is only the page to print. */
export function hasReceiptPdf({ view }: PageModel): boolean {
  return nearest(view.merchantName) !== ''
}

export function drawReceiptPdf(asked: PageModel): Buffer {
  const language = writable(asked.language)
  const model = { ...asked, language }
  const { words } = language
  const { payment } = model.view
  const names = wrap(nearest(model.view.merchantName), right - left, nameSize, true)
  // The page is laid out for a name of one line; each further line moves the rest down.
  const shift = Math.max(0, names.length - 1) * nameLineHeight
  const amount = amountText(payment.amount_minor, payment.currency, language)
  const texts: PdfText[] = [
    ...names.map((text, index) => {
      return { x: left, y: top - index * nameLineHeight, size: nameSize, isBold: true, text }
    }),
    { x: left, y: 716 - shift, size, grey: quiet, text: words.receipt },
    { x: left, y: 672 - shift, size: 34, isBold: true, text: amount },
  ]
  let y = 616 - shift
  for (const line of receiptLines(model)) {
    const rows = wrap(valueText(model, line, language), right - valueAt, size)
    if (rows.length === 0) continue
    texts.push({ x: left, y, size, grey: quiet, text: words[line.label] })
    rows.forEach((text, index) => texts.push({ x: valueAt, y: y - index * lineHeight, size, text }))
    y -= rows.length * lineHeight + 8
  }
  const ruledAt = y - 2
  y -= 24
  for (const text of notesOf(model).flatMap((note) => wrap(note, right - left, size, true))) {
    texts.push({ x: left, y, size, isBold: true, text })
    y -= lineHeight
  }
  return writePdf({
    title: `${words.receipt} ${nearest(payment.reference)}`,
    language: language.code,
    texts,
    rules: [644 - shift, ruledAt].map((at) => ({ from: left, to: right, y: at })),
  })
}

/** What became of the money since, and whether there was any. */
function notesOf(model: PageModel): string[] {
  const { words } = model.language
  const { state, mode } = model.view.payment
  const notes: string[] = []
  if (state === 'refunded') notes.push(words.refundedTitle)
  if (state === 'reversed')
    notes.push(`${words.reversedTitle}. ${nearest(say(model, 'reversedBody'))}`.trim())
  if (mode === 'test') notes.push(words.testReceipt)
  return notes
}

/** English where the fonts lack letters of the language. */
export function writable(language: Language): Language {
  return Object.values(language.words).every((sentence) => canWrite(sentence)) ? language : english
}

function valueText(model: PageModel, line: ReceiptLine, language: Language): string {
  const { refunded_minor, currency } = model.view.payment
  return line.label === 'refunded' ? amountText(refunded_minor, currency, language) : nearest(line.value)
}

export function amountText(minor: bigint, currency: string, language: Language): string {
  // French narrow spaces become plain ones. If a sign still can't be written, the currency's code takes its place.
  const shown = displayAmount(minor, currency, language.locale).replace(/\s/g, '\u00a0')
  return canWrite(shown) ? shown : `${formatAmount(minor, currency)} ${currency}`
}
