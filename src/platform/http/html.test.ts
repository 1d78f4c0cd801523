import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { drawAround, escape, html, trusted, type Holes, type HtmlValue } from './html.ts'

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#96;': '`',
}

/** As a browser reads it: half a letter, and the numbers after ASCII, are not what they say. */
function letterOf(code: string): string {
  const number = Number(code)
  assert.ok(number >= 0xa0, 'browsers take these numbers for letters of Windows')
  return String.fromCodePoint(number).toWellFormed()
}

test('every inserted value comes out as text: none can start markup or end an attribute', () => {
  const nasty = fc.array(
    fc.constantFrom('<', '>', '"', "'", '`', '&', 'a', ' ', '=', '/', '&amp;', '\u0000', 'é', '💷'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 40 }),
        nasty.map((parts) => parts.join('')),
      ),
      (value) => {
        const inText = html`<p>${value}</p>`.text.slice(3, -4)
        const inAttribute = html`<p title="${value}"></p>`.text.slice('<p title="'.length, -'"></p>'.length)
        assert.equal(inText, inAttribute)
        assert.doesNotMatch(inText, /[<>"'`]|[^\0-\x7f]|&(?!(amp|lt|gt|quot|#\d+);)/)
        assert.equal(
          inText.replace(/&(?:\w+|#(\d+));/g, (entity, code) => entities[entity] ?? letterOf(code)),
          value.toWellFormed().replace(/[\x80-\x9f]/g, '\ufffd'),
          'a browser reads back exactly what was put in, but for control letters',
        )
      },
    ),
  )
})

test('the first character after the control characters is kept', () => {
  assert.equal(html`${'\u009f\u00a0'}`.text, '&#65533;&#160;')
})

test('html inside html is inserted unchanged, and escaped only once', () => {
  const name = '<b>Ada & Co</b>'
  const inner = html`<em>${name}</em>`
  assert.equal(html`<p>${inner}</p>`.text, '<p><em>&lt;b&gt;Ada &amp; Co&lt;/b&gt;</em></p>')
})

test('lists are joined, empty values print nothing, and numbers print as they are', () => {
  const values: HtmlValue[] = ['<', [html`<i></i>`, ['>', 1n]], false, null, undefined, 0, '']
  assert.equal(html`${values}`.text, '&lt;<i></i>&gt;10')
})

test('an object that only looks like html is escaped', () => {
  const fake = { text: '<script>' } as unknown as HtmlValue
  assert.doesNotMatch(html`${fake}`.text, /<script>/)
})

test('trusted text must be marked by name', () => {
  assert.equal(html`${trusted('<br>')}`.text, '<br>')
  assert.equal(escape('<br>'), '&lt;br&gt;')
})

test('a template’s indentation is removed, inserted text keeps its own', () => {
  const draw = (code: string): string =>
    html`<ul>
        <li>
          one <b>two</b>
          ${code}
        </li>
      </ul>`.text
  assert.equal(draw('a\n    b'), '<ul>\n<li>\none <b>two</b>\na\n    b\n</li>\n</ul>')
  assert.equal(draw('again'), '<ul>\n<li>\none <b>two</b>\nagain\n</li>\n</ul>')
})

test('a part drawn around a value is drawn once, and each value is escaped', () => {
  let count = 0
  const greet = drawAround((key: { readonly word: string }, { name }: Holes<'name'>) => {
    count += 1
    return html`<p title="${name}">${key.word} ${name}</p>`
  })
  const key = { word: 'Hi' }
  assert.equal(greet(key, { name: 'Ada' }).text, '<p title="Ada">Hi Ada</p>')
  assert.equal(greet(key, { name: '<b>' }).text, '<p title="&lt;b&gt;">Hi &lt;b&gt;</p>')
  assert.equal(greet(key, { name: undefined }).text, '<p title="">Hi </p>')
  assert.equal(count, 1)
  assert.equal(
    greet({ word: 'Ciao' }, { name: html`<i>Ada</i>` }).text,
    '<p title="<i>Ada</i>">Ciao <i>Ada</i></p>',
  )
})
