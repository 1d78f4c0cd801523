import { codeHex, embedFont, Used } from './embed-font.ts'
import { embedPicture, type Picture } from './embed-picture.ts'
import { figure, PdfObjects, textString } from './pdf-objects.ts'
import { widthOf, type Line, type Run } from './shape-text.ts'
import { openSubset } from './subset-font.ts'

// Pages of text, thin lines and a picture, with the fonts that they need inside. What is written can be selected and searched.

export type PdfText = {
  /** Where the line begins on the left. */
  readonly x: number
  readonly y: number
  readonly size: number
  readonly line: Line
  /** Black when left out; 0 is black, 1 is white. */
  readonly grey?: number
}

export type PdfPage = {
  readonly texts: readonly PdfText[]
  readonly rules: readonly { readonly from: number; readonly to: number; readonly y: number }[]
  readonly picture?: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

export type Pdf = {
  readonly title: string
  readonly language: string
  readonly pages: readonly PdfPage[]
  readonly picture?: Picture
}

export const a4 = { width: 595, height: 842 }

export async function writePdf(pdf: Pdf): Promise<Buffer> {
  const subset = await openSubset()
  const objects = new PdfObjects()
  const used = new Map<string, Used>()
  const picture = pdf.picture && embedPicture(objects, pdf.picture)
  const contents = pdf.pages.map((page) => {
    const drawn = [
      ...page.rules.map((rule) => `0.7 G 0.75 w ${rule.from} ${rule.y} m ${rule.to} ${rule.y} l S\n`),
      picture !== undefined && page.picture ? drawPicture(page.picture) : '',
      ...page.texts.map((text) => drawText(text, used)),
    ]
    return objects.addStream('', Buffer.from(drawn.join(''), 'latin1'))
  })
  const fonts = [...used.values()]
    .map((one) => `/${one.name} ${embedFont(objects, subset, one)} 0 R`)
    .join(' ')
  const pictures = picture === undefined ? '' : `/XObject << /Logo ${picture} 0 R >> `
  const resources = objects.add(`<< ${pictures}/Font << ${fonts} >> >>`)
  const tree = objects.reserve()
  const kids = contents.map((content) =>
    objects.add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${a4.width} ${a4.height}] /Contents ${content} 0 R ` +
        `/Resources ${resources} 0 R >>`,
    ),
  )
  objects.put(
    tree,
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`,
  )
  const root = objects.add(
    `<< /Type /Catalog /Pages ${tree} 0 R /Lang (${pdf.language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
  )
  const info = objects.add(`<< /Producer (Florin) /Title ${textString(pdf.title)} >>`)
  return objects.write(root, info)
}

function drawPicture({ x, y, width, height }: NonNullable<PdfPage['picture']>): string {
  return `q ${figure(width)} 0 0 ${figure(height)} ${figure(x)} ${figure(y)} cm /Logo Do Q\n`
}

function drawText({ x, y, size, line, grey }: PdfText, used: Map<string, Used>): string {
  let at = x
  const parts = line.runs.map((run) => {
    const place = { x: at, y, size }
    at += widthOf(run) * size
    return drawRun(run, place, used)
  })
  return `${grey ?? 0} g\n${parts.join('')}`
}

type Place = { readonly x: number; readonly y: number; readonly size: number }

/**
 * Glyphs are in visual order, and PDF readers reverse Arabic by themselves when they copy or search it. With the text
 * beside them (ActualText) Poppler reversed that and found nothing.
 */
function drawRun(run: Run, { x, y, size }: Place, used: Map<string, Used>): string {
  const { face, glyphs } = run
  const mine = used.get(face.name) ?? new Used(face, `F${used.size + 1}`)
  used.set(face.name, mine)
  const scale = size / face.upem
  const parts: string[] = []
  let shown: string[] = []
  let isPlaced = false
  let at = x
  const flush = (): void => {
    if (shown.length > 0) parts.push(`[${shown.join('')}] TJ\n`)
    shown = []
  }
  for (const { id, text, advance, dx, dy } of glyphs) {
    const isMoved = dx !== 0 || dy !== 0
    if (isMoved || !isPlaced) {
      flush()
      parts.push(`1 0 0 1 ${figure(at + dx * scale)} ${figure(y + dy * scale)} Tm\n`)
    }
    // The font's width minus the shaped one, in thousandths: kerning.
    const kern = ((face.font.glyphHAdvance(id) - advance) * 1000) / face.upem
    // No test: our fonts count in thousandths, so it is never exactly half
    shown.push(`<${codeHex(mine.codeOf(id, text))}>${Math.abs(kern) < 0.5 ? '' : figure(kern)}`)
    isPlaced = !isMoved
    at += advance * scale
  }
  flush()
  return `BT /${mine.name} ${size} Tf\n${parts.join('')}ET\n`
}
