import type { Face } from './fonts.ts'
import { figure, type PdfObjects, utf16 } from './pdf-objects.ts'
import type { SubsetFont } from './subset-font.ts'

// The same glyph may be used for several letters: Arabic letters share their bodies and differ by their dots. So we
// write our own numbers, one for each glyph with its letters, and a table of the glyph each means.

export type Written = { readonly glyph: number; readonly text: string }

/** The glyphs used in a face so far. */
export class Used {
  readonly face: Face
  /** The font's name in the page's resources. */
  readonly name: string
  readonly written: Written[] = [{ glyph: 0, text: '' }]
  readonly #codes = new Map<string, number>()

  constructor(face: Face, name: string) {
    this.face = face
    this.name = name
  }

  codeOf(glyph: number, text: string): number {
    const key = `${glyph} ${text}`
    const code = this.#codes.get(key) ?? this.written.push({ glyph, text }) - 1
    this.#codes.set(key, code)
    return code
  }
}

/** The number of the font in the PDF: the glyphs that are used, their widths, and which letters they are, for those who search. */
export function embedFont(objects: PdfObjects, subset: SubsetFont, { face, written }: Used): number {
  const glyphs = new Set(written.map(({ glyph }) => glyph))
  const file = subset(face.file, glyphs)
  const fontFile = objects.addStream(`/Length1 ${file.length}`, file)
  const scale = 1000 / face.upem
  const { ascender, descender } = face.font.hExtents()
  // Six letters before the name say that it is a part of a font.
  const name = `FLORIN+${face.name}`
  const descriptor = objects.add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [-1000 -500 3000 1500] /ItalicAngle 0 ` +
      `/Ascent ${figure(ascender * scale)} /Descent ${figure(descender * scale)} /CapHeight 714 /StemV 80 ` +
      `/FontFile2 ${fontFile} 0 R >>`,
  )
  const widths = written.map(({ glyph }) => figure(face.font.glyphHAdvance(glyph) * scale)).join(' ')
  const glyphOf = Buffer.alloc(written.length * 2)
  written.forEach(({ glyph }, code) => glyphOf.writeUInt16BE(glyph, code * 2))
  const map = objects.addStream('', glyphOf)
  const descendant = objects.add(
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) ` +
      `/Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap ${map} 0 R /W [0 [${widths}]] >>`,
  )
  const toUnicode = objects.addStream('', Buffer.from(unicodeMap(written), 'latin1'))
  return objects.add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
  )
}

const linesMax = 100 // of one block, by the standard

function unicodeMap(written: readonly Written[]): string {
  const lines = written.flatMap(({ text }, code) =>
    text === '' ? [] : [`<${codeHex(code)}> <${utf16(text)}>`],
  )
  const blocks: string[] = []
  for (let start = 0; start < lines.length; start += linesMax) {
    const block = lines.slice(start, start + linesMax)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}

export function codeHex(code: number): string {
  return code.toString(16).padStart(4, '0')
}
