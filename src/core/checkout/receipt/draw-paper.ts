import type { Picture } from '../../merchants/pictures/pictures.ts'
import { openFonts } from '../../../platform/pdf/fonts.ts'
import { margin, Sheet, type Style } from '../../../platform/pdf/sheet.ts'
import { a4, writePdf } from '../../../platform/pdf/write-pdf.ts'

// Draws a receipt on A4: the letterhead, the items, labelled lines and the sender. Takes plain data, which can be sent
// to the drawing thread.

export type Paper = {
  /** Of the file. */
  readonly title: string
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly merchantName: string
  readonly heading: string
  readonly amount: string
  readonly items: readonly PaperItem[]
  readonly facts: readonly PaperFact[]
  readonly notes: readonly string[]
  /** The shop's address, numbers and how to reach it. */
  readonly shop: readonly string[]
}

export type PaperItem = {
  readonly name: string
  readonly amount: string
  /** A line in our words. */
  readonly kind?: 'total' | 'tax'
}

export type PaperFact = {
  readonly label: string
  readonly value: string
  /** In our words, which run in the page's direction; text from others runs in its own. */
  readonly isOurs?: boolean
}

const valueAt = 220
const right = a4.width - margin
const lineHeight = 16
const amountWidth = 120
const nameStyle: Style = { size: 15, weight: 'bold', direction: 'auto' }
const nameLineHeight = 20
const bold: Style = { weight: 'bold' }
const quiet: Style = { grey: 0.35 }
const theirs: Style = { direction: 'auto' }
const small: Style = { size: 9, grey: 0.35, direction: 'auto' }
const logoMax = { width: 160, height: 48 }

export async function drawPaper(paper: Paper, logo?: Picture): Promise<Buffer> {
  const sheet = new Sheet(await openFonts(), paper.direction)
  const picture = placeLogo(sheet, logo)
  drawHead(sheet, paper)
  drawItems(sheet, paper.items)
  for (const fact of paper.facts) drawFact(sheet, fact)
  sheet.rule()
  sheet.y -= 22
  for (const note of paper.notes) drawNote(sheet, note, bold)
  sheet.y -= 8
  for (const line of paper.shop) drawNote(sheet, line, small)
  return writePdf({
    title: paper.title,
    language: paper.language,
    pages: sheet.pages(picture),
    ...(logo && { picture: logo }),
  })
}

type Size = { readonly width: number; readonly height: number }

/** Makes room for the logo. No larger than it is, and no larger than a letterhead. */
function placeLogo(sheet: Sheet, logo: Picture | undefined): Size | undefined {
  if (!logo) return undefined
  const share = Math.min(1, logoMax.width / logo.width, logoMax.height / logo.height)
  const size = { width: logo.width * share, height: logo.height * share }
  sheet.y -= size.height
  return size
}

function drawHead(sheet: Sheet, { merchantName, heading, amount }: Paper): void {
  for (const row of sheet.wrap(merchantName, right - margin, nameStyle)) {
    sheet.start(margin, row, nameStyle)
    sheet.y -= nameLineHeight
  }
  sheet.y -= 12
  sheet.start(margin, heading, quiet)
  sheet.y -= 44
  sheet.start(margin, amount, { size: 34, weight: 'bold' })
  sheet.y -= 28
  sheet.rule()
  sheet.y -= 28
}

function drawItems(sheet: Sheet, items: Paper['items']): void {
  for (const { name, amount, kind } of items) {
    const style = kind === 'tax' ? quiet : kind === 'total' ? bold : theirs
    const rows = sheet.wrap(name, right - margin - amountWidth, style)
    sheet.keep(Math.max(1, rows.length) * lineHeight)
    sheet.end(right, amount, kind === undefined ? {} : style)
    for (const row of rows) {
      sheet.start(margin, row, style)
      sheet.y -= lineHeight
    }
    if (rows.length === 0) sheet.y -= lineHeight
    sheet.y -= 2
  }
  if (items.length === 0) return
  sheet.y -= 2
  sheet.rule()
  sheet.y -= 24
}

function drawFact(sheet: Sheet, { label, value, isOurs }: PaperFact): void {
  const style = isOurs === true ? {} : theirs
  const rows = sheet.wrap(value, right - valueAt, style)
  if (rows.length === 0) return
  sheet.keep(rows.length * lineHeight)
  sheet.start(margin, label, quiet)
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
