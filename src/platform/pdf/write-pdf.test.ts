import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makePng } from '../../../test/support/pictures.ts'
import { objectsOf, readPdf, unpack } from '../../../test/support/read-pdf.ts'
import { openFonts, type Fonts } from './fonts.ts'
import { shapeLine, type Line } from './shape-text.ts'
import { writePdf, type PdfPage, type PdfText } from './write-pdf.ts'

let fonts: Fonts
before(async () => {
  fonts = await openFonts()
})

function shaped(text: string): Line {
  return shapeLine(fonts, text, 'regular', 'auto')
}

async function write(texts: readonly PdfText[], more: Partial<PdfPage> = {}, logo?: Buffer): Promise<Buffer> {
  return writePdf({
    title: 'Receipt',
    language: 'en',
    pages: [{ texts, rules: [], ...more }],
    ...(logo && { picture: { type: 'image/png', bytes: logo, width: 8, height: 8 } }),
  })
}

/** What is drawn on the first page. */
function contentOf(pdf: Buffer): string {
  const objects = objectsOf(pdf.toString('latin1'))
  const page = [...objects.values()].find((object) => object.includes('/Type /Page ')) ?? ''
  return unpack(objects.get(/\/Contents (\d+)/.exec(page)?.[1] ?? '') ?? '')
}

/** Where shaping put each glyph. */
function wanted({ x, y, size, line }: PdfText): string[] {
  let at = x
  return line.runs.flatMap(({ face, glyphs }) =>
    glyphs.map(({ id, advance, dx, dy }) => {
      const scale = size / face.upem
      const place = `${(at + dx * scale).toFixed(1)} ${(y + dy * scale).toFixed(1)} ${id}`
      at += advance * scale
      return place
    }),
  )
}

test('every glyph is placed where shaping put it: kerned, with its marks, in both scripts', async () => {
  const lines = ['AVATAR To fi', 'مُحَمَّد بَيْتٌ 123', 'x\u0323\u0302 q\u0323a \u0141ód\u017a', 'Straße محمد'].map(
    shaped,
  )
  const texts = lines.map((line, index) => ({ x: 72.5, y: 700 - 20 * index, size: 10 + index, line }))
  const { glyphs, source } = readPdf(await write(texts))
  assert.deepEqual(glyphs, texts.flatMap(wanted))
  assert.match(source, /\/Font << \/F1 \d+ 0 R \/F2 \d+ 0 R >>/)
})

test('a shifted glyph doesn’t move those after it', async () => {
  const line = shaped('aaaaaaaaa')
  const moves = [0, 50, -50].flatMap((dx) => [0, 30, -30].map((dy) => ({ dx, dy })))
  const moved = {
    ...line,
    runs: line.runs.map((run) => ({
      ...run,
      glyphs: run.glyphs.map((glyph, index) => ({ ...glyph, ...moves[index] })),
    })),
  }
  const text = { x: 100, y: 500, size: 20, line: moved }
  assert.deepEqual(readPdf(await write([text])).glyphs, wanted(text))
})

test('consecutive letters are placed once, and each letter has one glyph number', async () => {
  const content = contentOf(await write([{ x: 72, y: 700, size: 11, line: shaped('aaa') }]))
  assert.equal(content, '0 g\nBT /F1 11 Tf\n1 0 0 1 72 700 Tm\n[<0001><0001><0001>] TJ\nET\n')
})

test('text is black or grey, rules are thin, and a picture is drawn at its size', async () => {
  const picture = { x: 72, y: 730.5, width: 160, height: 48 }
  const texts = [{ x: 72, y: 700, size: 11, line: shaped(''), grey: 0.35 }]
  const rules = [{ from: 72, to: 523, y: 600 }]
  const thin = '0.7 G 0.75 w 72 600 m 523 600 l S\n'
  const plain = await write(texts, { rules, picture })
  assert.equal(contentOf(plain), `${thin}0.35 g\n`)
  assert.doesNotMatch(plain.toString('latin1'), /XObject|Logo/)
  const withLogo = await write(texts, { rules, picture }, makePng(8, 8))
  assert.equal(contentOf(withLogo), `${thin}q 160 0 0 48 72 730.5 cm /Logo Do Q\n0.35 g\n`)
  assert.match(withLogo.toString('latin1'), /<< \/XObject << \/Logo \d+ 0 R >> \/Font <</)
})

test('the character map comes in blocks of a hundred, as the standard requires', async () => {
  const letters = Array.from({ length: 101 }, (_, index) => String.fromCodePoint(0x400 + index))
  const blocksOf = async (count: number): Promise<number[]> => {
    const pdf = await write([{ x: 72, y: 700, size: 11, line: shaped(letters.slice(0, count).join('')) }])
    const maps = [...objectsOf(pdf.toString('latin1')).values()].filter((object) => object.includes('stream'))
    const text = maps.map((object) => (object.includes('/Length1') ? '' : unpack(object))).join('')
    return Array.from(text.matchAll(/(\d+) beginbfchar/g), ([, length]) => Number(length))
  }
  assert.deepEqual(await blocksOf(99), [99])
  assert.deepEqual(await blocksOf(100), [100])
  assert.deepEqual(await blocksOf(101), [100, 1])
})
