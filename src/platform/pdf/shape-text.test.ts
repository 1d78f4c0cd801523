import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openFonts, type Fonts } from './fonts.ts'
import { shapeLine, type Direction } from './shape-text.ts'

let fonts: Fonts
before(async () => {
  fonts = await openFonts()
})

/** What each stretch stands for, from left to right as on paper. */
function stretchesOf(text: string, direction: Direction): string[] {
  return shapeLine(fonts, text, 'regular', direction).runs.map(({ glyphs }) =>
    glyphs.map((glyph) => glyph.text).join(''),
  )
}

function glyphsOf(text: string): number[] {
  return shapeLine(fonts, text, 'regular', 'auto').runs.flatMap(({ glyphs }) => glyphs.map(({ id }) => id))
}

// Letters of the alphabet, in the order that they have on paper when they are read from the right.
const arabic = 'دمحم'

test('words of both directions are laid out in reading order', () => {
  assert.deepEqual(stretchesOf('abc محمد 123 def', 'ltr'), ['abc ', '123', ` ${arabic}`, ' def'])
  assert.deepEqual(stretchesOf('abc محمد 123 def', 'auto'), ['abc ', '123', ` ${arabic}`, ' def'])
  assert.deepEqual(stretchesOf('abc محمد 123 def', 'rtl'), ['def', ' ', '123', ` ${arabic}`, ' ', 'abc'])
  assert.deepEqual(stretchesOf('محمد (Mo)', 'auto'), [')', 'Mo', '(', ` ${arabic}`])
})

test('Arabic letters are joined and look different from isolated ones', () => {
  const alone = [...'محمد'].flatMap(glyphsOf)
  const joined = glyphsOf('محمد')
  assert.equal(joined.length, 4)
  assert.deepEqual(
    joined.filter((glyph) => alone.includes(glyph)),
    [],
  )
})

test('a combining mark is searchable by itself, and a letter of several glyphs is found once', () => {
  const textsOf = (text: string): string[] =>
    shapeLine(fonts, text, 'regular', 'ltr').runs.flatMap(({ glyphs }) => glyphs.map((glyph) => glyph.text))
  assert.deepEqual(textsOf('x\u0323y'), ['x', '\u0323', 'y'])
  assert.deepEqual(textsOf('fi'), ['fi'])
  // A body and its dots: the body is what is found.
  assert.deepEqual(
    textsOf('ت').filter((text) => text !== ''),
    ['ت'],
  )
})

test('a line is as wide as its glyphs, and control characters take no room', () => {
  const widthOf = (text: string): number => shapeLine(fonts, text, 'regular', 'ltr').width
  assert.equal(widthOf('A').toFixed(3), '0.639')
  // Kerned: 599 + 600.
  assert.equal(widthOf('AV').toFixed(3), '1.199')
  assert.equal(widthOf('A\u200e\u{1fa91}'), widthOf('A'))
  assert.equal(widthOf(''), 0)
})
