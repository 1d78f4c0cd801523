import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFonts } from './fonts.ts'
import { shapeLine } from './shape-text.ts'
import { wrapText } from './wrap-text.ts'

const texts = {
  words: 'A table of oak with room for twelve guests and a drawer for the forks. '.repeat(4).slice(0, 255),
  'short words': 'a '.repeat(127).trim(),
  'one wide word': 'W'.repeat(255),
  'one thin word': 'i'.repeat(255),
  Arabic: 'محمد العربي '.repeat(20).trim(),
  'two directions': 'aم1'.repeat(85),
}

test('wrapping long text shapes its letters at most six times', async () => {
  const fonts = await openFonts()
  for (const [name, text] of Object.entries(texts)) {
    let letters = 0
    const rows = wrapText(text, 30, (part) => {
      letters += part.length
      return shapeLine(fonts, part, 'regular', 'auto')
    })
    assert.equal(rows.join('').replaceAll(' ', ''), text.replaceAll(' ', ''), name)
    assert.ok(letters <= 6 * text.length, `${name}: ${letters} letters shaped for ${text.length}`)
  }
})
