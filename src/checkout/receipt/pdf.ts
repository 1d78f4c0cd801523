// Just enough of PDF for a page of text: two standard fonts that every reader brings, WinAnsi letters, thin lines.
// Nothing in it depends on when it was written, so the same receipt is the same file.

export type PdfText = {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly text: string
  readonly isBold?: boolean
  /** Black when left out; 0 is black, 1 is white. */
  readonly grey?: number
}

export type PdfPage = {
  readonly title: string
  readonly language: string
  readonly texts: readonly PdfText[]
  readonly rules: readonly { readonly from: number; readonly to: number; readonly y: number }[]
}

const a4 = '0 0 595 842'

export function writePdf(page: PdfPage): Buffer {
  const content = Buffer.concat([
    ...page.rules.map((rule) => ascii(`0.7 G 0.75 w ${rule.from} ${rule.y} m ${rule.to} ${rule.y} l S\n`)),
    ...page.texts.map(drawText),
  ])
  const font = (name: string): Buffer =>
    ascii(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
  return assemble([
    ascii(
      `<< /Type /Catalog /Pages 2 0 R /Lang (${page.language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    ),
    ascii('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    ascii(
      `<< /Type /Page /Parent 2 0 R /MediaBox [${a4}] /Contents 6 0 R ` +
        '/Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>',
    ),
    font('Helvetica'),
    font('Helvetica-Bold'),
    Buffer.concat([ascii(`<< /Length ${content.length} >>\nstream\n`), content, ascii('\nendstream')]),
    Buffer.concat([ascii('<< /Producer (Florin) /Title '), textString(page.title), ascii(' >>')]),
  ])
}

function drawText({ x, y, size, text, isBold, grey }: PdfText): Buffer {
  const font = isBold ? 'F2' : 'F1'
  const position = `BT ${grey ?? 0} g /${font} ${size} Tf ${x} ${y} Td `
  return Buffer.concat([ascii(position), textString(text), ascii(' Tj ET\n')])
}

/** Objects are numbered from 1; the last one is the document's information. */
function assemble(objects: readonly Buffer[]): Buffer {
  const parts = [ascii('%PDF-1.7\n'), Buffer.from([0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])]
  const offsets: number[] = []
  let length = parts.reduce((sum, part) => sum + part.length, 0)
  objects.forEach((object, index) => {
    offsets.push(length)
    const whole = Buffer.concat([ascii(`${index + 1} 0 obj\n`), object, ascii('\nendobj\n')])
    parts.push(whole)
    length += whole.length
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    ascii(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

function textString(text: string): Buffer {
  return ascii(
    `(${encode(text)
      .toString('latin1')
      .replace(/[\\()]/g, '\\$&')})`,
  )
}

// Letters of 0x80 to 0x9f in WinAnsi; a space stands for a place without one.
const middle = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

function byteOf(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
  const place = letter === ' ' ? -1 : middle.indexOf(letter)
  return place < 0 ? undefined : 0x80 + place
}

function encode(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const byte = byteOf(letter)
      if (byte === undefined) throw new Error('A letter that the receipt can not write was let through')
      return byte
    }),
  )
}

export function canWrite(text: string): boolean {
  return [...text].every((letter) => byteOf(letter) !== undefined)
}

const spaces = /[\u2000-\u200a\u202f\u205f]/g
const unseen = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\u00ad]/g
const strokes: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŧ: 't',
  Ŧ: 'T',
}

// Emoji, their skin tones and keycaps, and the regional letters that make flags.
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/u

/**
 * The text as near as the font can write it: pictures go, and accents where they must; empty when it is in another
 * script.
 */
export function nearest(text: string): string {
  const plain = text.normalize('NFC').replace(spaces, ' ').replace(unseen, '')
  const letters = [...plain].map((letter) => {
    if (canWrite(letter)) return letter
    if (picture.test(letter)) return ''
    const bare = strokes[letter] ?? letter.normalize('NFKD').replace(/\p{Mark}/gu, '')
    return canWrite(bare) ? bare : undefined
  })
  return letters.includes(undefined) ? '' : letters.join('').replace(/ {2,}/g, ' ').trim()
}

// The widths of the letters from space to tilde, in thousandths of the size.
const helvetica = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
const helveticaBold = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
  556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584,
  556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
  333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
]
const widthOfOthers = 667

/** Lines no wider than `width`; a word that is wider by itself is cut. */
export function wrap(text: string, width: number, size: number, isBold = false): string[] {
  const widths = isBold ? helveticaBold : helvetica
  const widthOf = (part: string): number =>
    [...part].reduce((sum, letter) => sum + (widths[letter.charCodeAt(0) - 32] ?? widthOfOthers), 0) *
    (size / 1000)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line) > width) {
      const fits = [...line].findIndex((_, index) => widthOf(line.slice(0, index + 1)) > width)
      lines.push(line.slice(0, Math.max(1, fits)))
      line = line.slice(Math.max(1, fits))
    }
  }
  return [...lines, line].filter((row) => row !== '')
}
