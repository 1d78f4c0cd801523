import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { openFonts, type Fonts } from './fonts.ts'
import { Sheet, type Style } from './sheet.ts'
import type { PdfText } from './write-pdf.ts'

// A4 is 595 wide and 842 high, with 72 left empty on each side.

let fonts: Fonts
before(async () => {
  fonts = await openFonts()
})

const named: Style = { size: 20, weight: 'bold', grey: 0.35 }

function sheetOf(direction: 'ltr' | 'rtl' = 'ltr'): Sheet {
  return new Sheet(fonts, direction)
}

function widthOf({ line, size }: PdfText): number {
  return line.width * size
}

test('text starts or ends at its position, and right-to-left layout is mirrored', () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    const sheet = sheetOf(direction)
    sheet.start(100, 'Chair')
    sheet.y -= 30
    sheet.end(500, '£12.50', named)
    const [one, other] = sheet.pages()[0]?.texts ?? []
    assert.ok(one && other)
    const isMirrored = direction === 'rtl'
    assert.deepEqual(one, {
      x: isMirrored ? 595 - 100 - widthOf(one) : 100,
      y: 748,
      size: 11,
      line: one.line,
    })
    assert.deepEqual(other, {
      x: isMirrored ? 95 : 500 - widthOf(other),
      y: 718,
      size: 20,
      grey: 0.35,
      line: other.line,
    })
  }
})

test('a rule runs across the page between the margins', () => {
  const sheet = sheetOf()
  sheet.y = 300
  sheet.rule()
  assert.deepEqual(sheet.pages()[0]?.rules, [{ from: 72, to: 523, y: 300 }])
})

test('content that doesn’t fit above the lower margin starts a new page', () => {
  const sheet = sheetOf()
  sheet.keep(748 - 72)
  assert.equal(sheet.pages().length, 1)
  sheet.keep(748 - 72 + 1)
  assert.equal(sheet.pages().length, 2)
  assert.equal(sheet.y, 748)
})

test('the picture is at the top of the first page, at the reading side', () => {
  const picture = { width: 160, height: 40 }
  for (const [direction, x] of [
    ['ltr', 72],
    ['rtl', 595 - 72 - 160],
  ] as const) {
    const sheet = sheetOf(direction)
    sheet.keep(1_000)
    const empty = { texts: [], rules: [] }
    assert.deepEqual(sheet.pages(picture), [{ ...empty, picture: { ...picture, x, y: 738 } }, empty])
    assert.deepEqual(sheet.pages(), [empty, empty])
  }
})

/** How wide a text is at the size of a receipt. */
function measure(text: string): number {
  const sheet = sheetOf()
  sheet.start(0, text)
  return sheet.pages()[0]?.texts.map(widthOf)[0] ?? 0
}

const letter = fc.constantFrom('i', 'm', 'W', 'ż')
const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 })

test('each line takes as many words as fit', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const rows = words.reduce<string[]>((made, next) => {
        const last = made.at(-1)
        const longer = `${last} ${next}`
        return last !== undefined && measure(longer) <= 60 ? [...made.slice(0, -1), longer] : [...made, next]
      }, [])
      assert.deepEqual(sheetOf().wrap(words.join(' '), 60), rows)
    }),
    { numRuns: 50 },
  )
})

test('a word that is too long is split across lines without loss', () => {
  const long = fc.string({ unit: letter, minLength: 20, maxLength: 60 })
  fc.assert(
    fc.property(long, (text) => {
      const rows = sheetOf().wrap(`a ${text} b`, 90)
      assert.equal(rows.join('').replaceAll(' ', ''), `a${text}b`)
      for (const row of rows) assert.ok(measure(row) <= 90, row)
      // The widest letter is 10 wide, and room is looked for in steps of a tenth and one.
      for (const row of rows.slice(1, -1)) assert.ok(measure(row) > 90 * 0.8 - 20, row)
    }),
    { numRuns: 30 },
  )
})

test('a line that fits exactly isn’t broken, and a single letter is kept even if it doesn’t fit', () => {
  const sheet = sheetOf()
  sheet.start(0, 'Two chairs')
  const [exact = 0] = sheet.pages()[0]?.texts.map(widthOf) ?? []
  assert.deepEqual(sheet.wrap('Two chairs', exact), ['Two chairs'])
  assert.deepEqual(sheet.wrap('Two chairs', exact - 0.01), ['Two', 'chairs'])
  assert.deepEqual(sheet.wrap('oak', 0), ['o', 'a', 'k'])
  assert.deepEqual(sheet.wrap('', 100), [])
})
