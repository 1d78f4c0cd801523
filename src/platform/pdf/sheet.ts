import type { Fonts, Weight } from './fonts.ts'
import { shapeLine, type Direction, type Line } from './shape-text.ts'
import { wrapText } from './wrap-text.ts'
import { a4, type PdfPage, type PdfText } from './write-pdf.ts'

// Paper that is filled from the top. Where the language runs from right to left, everything is mirrored.

export const margin = 72
const top = a4.height - 94
const bottom = 72

export type Style = {
  readonly size?: number
  readonly weight?: Weight
  readonly grey?: number
  /** Other people's text: its own direction. Ours: the page's. */
  readonly direction?: Direction
}

const defaultSize = 11

export class Sheet {
  readonly #fonts: Fonts
  readonly #isMirrored: boolean
  readonly #pages: { texts: PdfText[]; rules: { from: number; to: number; y: number }[] }[] = []
  readonly #shaped = new Map<string, Line>()
  y = top

  constructor(fonts: Fonts, direction: 'ltr' | 'rtl') {
    this.#fonts = fonts
    this.#isMirrored = direction === 'rtl'
    this.#turn()
  }

  #turn(): void {
    this.#pages.push({ texts: [], rules: [] })
    this.y = top
  }

  /** On another page when less than `height` is left. */
  keep(height: number): void {
    if (this.y - height < bottom) this.#turn()
  }

  get #page() {
    const page = this.#pages.at(-1)
    if (!page) throw new Error('There is no page')
    return page
  }

  /** From `x`, seen from where the language begins. */
  start(x: number, text: string, style: Style = {}): void {
    const line = this.#shape(text, style)
    const width = line.width * (style.size ?? defaultSize)
    this.#put(this.#isMirrored ? a4.width - x - width : x, line, style)
  }

  /** So that it ends at `x`: figures that line up. */
  end(x: number, text: string, style: Style = {}): void {
    const line = this.#shape(text, style)
    const width = line.width * (style.size ?? defaultSize)
    this.#put(this.#isMirrored ? a4.width - x : x - width, line, style)
  }

  #put(x: number, line: Line, style: Style): void {
    const { size = defaultSize, grey } = style
    this.#page.texts.push({ x, y: this.y, size, line, ...(grey !== undefined && { grey }) })
  }

  /** Each text once: a line is measured and then written, and amounts and names repeat. */
  #shape(text: string, { weight = 'regular', direction = this.#isMirrored ? 'rtl' : 'ltr' }: Style): Line {
    const key = `${weight} ${direction} ${text}`
    const line = this.#shaped.get(key) ?? shapeLine(this.#fonts, text, weight, direction)
    this.#shaped.set(key, line)
    return line
  }

  rule(): void {
    this.#page.rules.push({ from: margin, to: a4.width - margin, y: this.y })
  }

  /** Lines no wider than `width`; a word that is wider by itself is cut. */
  wrap(text: string, width: number, style: Style = {}): string[] {
    return wrapText(text, width / (style.size ?? defaultSize), (part) => this.#shape(part, style))
  }

  /** With the picture at the top of the first page, where the language begins. */
  pages(picture?: { readonly width: number; readonly height: number }): PdfPage[] {
    return this.#pages.map((page, index) => {
      if (index > 0 || !picture) return page
      const x = this.#isMirrored ? a4.width - margin - picture.width : margin
      return { ...page, picture: { ...picture, x, y: a4.height - 64 - picture.height } }
    })
  }
}
