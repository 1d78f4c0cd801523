import { displayAmount, formatAmount } from '../money/money.ts'
import { english, type Language } from './language.ts'
import { receiptLines, type ReceiptLine } from './pages/receipt.ts'
import { canWrite, nearest, wrap, writePdf, type PdfText } from './pdf.ts'
import type { Scene } from './scene.ts'

// The receipt on one A4 page, in the fonts that every PDF reader brings. Those know Western European letters only:
// - in a language that needs others (Welsh, Polish, Arabic) the words are English; the web page prints in any language
// - an amount whose sign can't be written is given with the currency's code, as `1,234.50 PLN`
// - a name loses the accents that can't be written (`Żółć` becomes `Zólc`); a name in another script is left out, and
//   the reference stays

const left = 72
const valueAt = 220
const right = 523
const size = 11
const lineHeight = 16
const quiet = 0.35

export function drawReceiptPdf(scene: Scene): Buffer {
  const language = writable(scene.language)
  const { words } = language
  const { payment, merchantName } = scene.view
  const texts: PdfText[] = [
    { x: left, y: 748, size: 15, isBold: true, text: nearest(merchantName) },
    { x: left, y: 716, size, grey: quiet, text: words.receipt },
    {
      x: left,
      y: 672,
      size: 34,
      isBold: true,
      text: amountText(payment.amount_minor, payment.currency, language),
    },
  ]
  let y = 616
  for (const line of receiptLines({ ...scene, language })) {
    const rows = wrap(valueText(scene, line, language), right - valueAt, size)
    if (rows.length === 0) continue
    texts.push({ x: left, y, size, grey: quiet, text: words[line.label] })
    rows.forEach((text, index) => texts.push({ x: valueAt, y: y - index * lineHeight, size, text }))
    y -= rows.length * lineHeight + 8
  }
  if (payment.mode === 'test') texts.push({ x: left, y: y - 24, size, isBold: true, text: words.testReceipt })
  return writePdf({
    title: `${words.receipt} ${nearest(payment.reference)}`,
    language: language.code,
    texts,
    rules: [644, y - 2].map((at) => ({ from: left, to: right, y: at })),
  })
}

function writable(language: Language): Language {
  return Object.values(language.words).every((sentence) => canWrite(sentence)) ? language : english
}

function valueText(scene: Scene, line: ReceiptLine, language: Language): string {
  const { refunded_minor, currency } = scene.view.payment
  return line.label === 'refunded' ? amountText(refunded_minor, currency, language) : nearest(line.value)
}

function amountText(minor: bigint, currency: string, language: Language): string {
  // Narrow spaces (French) become plain ones; any other letter that can't be written must not fall out.
  const shown = displayAmount(minor, currency, language.locale).replace(/\s/g, '\u00a0')
  return canWrite(shown) ? shown : `${formatAmount(minor, currency)} ${currency}`
}
