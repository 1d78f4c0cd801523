import { plainText } from '../../input/isolate.ts'
import type { Brand } from '../../merchants/brand/brand.ts'
import type { Picture } from '../../merchants/pictures/pictures.ts'
import type { Language } from '../language.ts'
import { companyLines } from '../pages/shop/shop.ts'
import { margin, type Sheet, type Style } from './pdf/sheet.ts'
import { writable } from './pdf/writable.ts'
import { a4 } from './pdf/write-pdf.ts'

// What the receipt of a payment and that of a refund have in common: the letterhead, lines with a label, and who it is from.

const valueAt = 220
export const right = a4.width - margin
export const lineHeight = 16
const nameStyle: Style = { size: 15, weight: 'bold', direction: 'auto' }
const nameLineHeight = 20
export const quiet: Style = { grey: 0.35 }
export const theirs: Style = { direction: 'auto' }
const small: Style = { size: 9, grey: 0.35, direction: 'auto' }
const logoMax = { width: 160, height: 48 }

export type Size = { readonly width: number; readonly height: number }

/** Makes room for the logo. No larger than it is, and no larger than a letterhead. */
export function placeLogo(sheet: Sheet, logo: Picture | undefined): Size | undefined {
  if (!logo) return undefined
  const share = Math.min(1, logoMax.width / logo.width, logoMax.height / logo.height)
  const size = { width: logo.width * share, height: logo.height * share }
  sheet.y -= size.height
  return size
}

export function drawHead(sheet: Sheet, merchantName: string, title: string, amount: string): void {
  for (const row of sheet.wrap(writable(merchantName), right - margin, nameStyle)) {
    sheet.start(margin, row, nameStyle)
    sheet.y -= nameLineHeight
  }
  sheet.y -= 12
  sheet.start(margin, title, quiet)
  sheet.y -= 44
  sheet.start(margin, writable(amount), { size: 34, weight: 'bold' })
  sheet.y -= 28
  sheet.rule()
  sheet.y -= 28
}

export function drawFact(sheet: Sheet, label: string, value: string, style: Style): void {
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

export function drawNote(sheet: Sheet, note: string, style: Style): void {
  const rows = sheet.wrap(note, right - margin, style)
  sheet.keep(rows.length * lineHeight)
  for (const row of rows) {
    sheet.start(margin, row, style)
    sheet.y -= lineHeight
  }
}

/** Who was paid, as the law wants it on a receipt: address, numbers, and how to reach them. */
export function drawShop(sheet: Sheet, brand: Brand, { words }: Language): void {
  const lines = [
    brand.address.join(', '),
    companyLines(brand, words).join(' · '),
    [brand.supportEmail, brand.supportPhone, brand.website].filter((one) => one !== undefined).join(' · '),
  ]
  sheet.y -= 8
  for (const line of lines) if (writable(line) !== '') drawNote(sheet, writable(line), small)
}
