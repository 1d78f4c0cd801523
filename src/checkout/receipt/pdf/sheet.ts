import type { Fonts, Weight } from './fonts.ts'
import { shapeLine, type Direction, type Line } from './shape-text.ts'
import { a4, type PdfPage, type PdfText } from './write-pdf.ts'

// Paper that is filled from the top. Where the language runs from right to left, everything is mirrored.

export const margin = 72
const top = a4.height - 94
const bottom = 72

export type Style = {
  readonly size?: number
  readonly weight?: Weight
  readonly grey?: number
  /** Of what others wrote: its own. Of our words: the page's. */
  readonly direction?: Direction
}

const defaultSize = 11

export class Sheet {
  readonly #fonts: Fonts
  readonly #isMirrored: boolean
  readonly #pages: { texts: PdfText[]; rules: { from: number; to: number; y: number }[] }[] = []
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

  #shape(text: string, { weight = 'regular', direction }: Style): Line {
    return shapeLine(this.#fonts, text, weight, direction ?? (this.#isMirrored ? 'rtl' : 'ltr'))
  }

  rule(): void {
    this.#page.rules.push({ from: margin, to: a4.width - margin, y: this.y })
  }

  /** Lines no wider than `width`; a word that is wider by itself is cut. */
  wrap(text: string, width: number, style: Style = {}): string[] {
    const size = style.size ?? defaultSize
    const fits = (part: string): boolean => this.#shape(part, style).width * size <= width
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (fits(longer)) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      line = word
      while (!fits(line)) {
        const letters = [...line]
        let count = letters.length
        while (count > 1 && !fits(letters.slice(0, count).join('')))
          count = Math.max(1, Math.ceil(count * 0.9) - 1)
        lines.push(letters.slice(0, count).join(''))
        line = letters.slice(count).join('')
      }
    }
    return [...lines, line].filter((row) => row !== '')
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
