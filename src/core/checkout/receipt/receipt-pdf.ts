import { plainText } from '../../../platform/input/isolate.ts'
import type { Brand } from '../../merchants/brand/brand.ts'
import type { Language } from '../language.ts'
import { sentence, type PageModel } from '../page-model.ts'
import { receiptLines } from '../pages/receipt.ts'
import { itemLines } from '../parts/shop/items.ts'
import { companyLines } from '../parts/shop/shop.ts'
import type { Paper } from './draw-paper.ts'
import { writable } from '../../../platform/pdf/writable.ts'

// The receipt on paper, in the customer's language and with its letters. A name in a script that the fonts do not have is left out,
// and the reference stays.

/** Without the merchant's name the receipt would have no sender: then there is only the page to print. */
export function hasReceiptPdf({ view }: PageModel): boolean {
  return writable(view.merchantName) !== ''
}

export function receiptPaper(model: PageModel): Paper {
  const { language, view } = model
  return {
    title: `${language.words.receipt} ${view.payment.reference}`,
    language: language.code,
    direction: language.direction,
    merchantName: writable(view.merchantName),
    heading: language.words.receipt,
    amount: writable(model.amount),
    items: itemLines(model).map((line) => ({ ...line, name: writable(line.name) })),
    facts: receiptLines(model).map(({ label, value, isOurs, instant }) => ({
      label: language.words[label],
      value: writable(plainText(value)),
      isOurs: isOurs === true || instant !== undefined,
    })),
    notes: notesOf(model),
    shop: shopLines(view.brand, language),
  }
}

/** What happened to the money since, and whether any was taken. */
function notesOf(model: PageModel): string[] {
  const { words } = model.language
  const { state, mode } = model.view.payment
  const notes: string[] = []
  if (state === 'refunded') notes.push(words.refundedTitle)
  if (state === 'reversed') {
    notes.push(`${words.reversedTitle}. ${writable(sentence(model, 'reversedBody'))}`.trim())
  }
  if (mode === 'test') notes.push(words.testReceipt)
  return notes
}

/** Who was paid, as required by law on a receipt: address, registration numbers and contact. */
export function shopLines(brand: Brand, { words }: Language): string[] {
  return [
    brand.address.join(', '),
    companyLines(brand, words).join(' · '),
    [brand.supportEmail, brand.supportPhone, brand.website].filter((one) => one !== undefined).join(' · '),
  ]
    .map(writable)
    .filter((line) => line !== '')
}
