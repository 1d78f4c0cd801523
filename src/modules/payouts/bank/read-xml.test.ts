import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UnreadableStatement } from './bank-entry.ts'
import { attributeOf, makeXmlReader } from './read-xml.ts'

function events(pieces: readonly string[]): string[] {
  const told: string[] = []
  const reader = makeXmlReader({
    open: (name, attributes) => told.push(`<${name}${attributes}>`),
    text: (text) => told.push(text),
    close: (name) => told.push(`</${name}>`),
  })
  for (const piece of pieces) reader.write(piece)
  reader.end()
  return told
}

const sample =
  '<?xml version="1.0"?>\n<!-- <a> --><n:Doc xmlns:n="urn:x">\n<a b="1>2" c=\'"\'/>x &amp; &#233;&#xE9;<![CDATA[<&y>]]></n:Doc>\n'
const read = '<Doc xmlns:n="urn:x">|\n|<a b="1>2" c=\'"\'>|</a>|x & éé|<&y>|</Doc>'

test('elements, text, entities and CDATA are read, without prefixes and comments', () => {
  assert.equal(events([sample]).join('|'), read)
})

test('the result is the same however the file is split into chunks', () => {
  assert.equal(
    events([...sample])
      .join('')
      .replaceAll('|', ''),
    read.replaceAll('|', ''),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: sample.length }), (cut) => {
      assert.equal(events([sample.slice(0, cut), sample.slice(cut)]).join(''), read.replaceAll('|', ''))
    }),
  )
})

const attacks: Readonly<Record<string, string>> = {
  'an entity bomb': `<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>`,
  'an outside file': `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>`,
  'an outside document type': `<!DOCTYPE x SYSTEM "http://example.com/x.dtd"><x/>`,
  'a document type after the beginning': `<a><!DOCTYPE x></a>`,
  'an entity that nobody declared': '<a>&lol;</a>',
  'a lone ampersand': '<a>b & c</a>',
  'the entity of a zero byte': '<a>&#0;</a>',
  'half a letter': '<a>&#xD800;</a>',
  'an entity beyond Unicode': '<a>&#9999999;</a>',
  'a thousand elements within each other': '<a>'.repeat(1000),
  'a text without an end': `<a>${'x'.repeat(200_000)}`,
  'a tag without an end': `<a ${'x'.repeat(200_000)}`,
  'an element that is closed by another': '<a><b></a></b>',
  'two documents': '<a/><b/>',
  'text behind the document': '<a/>x',
  'a document that is cut off': '<a><b></b>',
  'a tag that is cut off': '<a></a',
  'an attribute without quotes': '<a b=c></a>',
  'a < within an attribute': '<a b="<"></a>',
  nothing: '',
}

for (const [name, text] of Object.entries(attacks))
  test(`XML with ${name} is refused`, () => {
    assert.throws(() => events([text]), UnreadableStatement)
  })

const deep = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels)
const long = (letters: number): string => 'x'.repeat(letters)

for (const [name, good, tooMuch] of [
  ['elements 50 deep', deep(50), deep(51)],
  [
    'an empty element 50 deep',
    deep(49).replace('></a>', '><b/></a>'),
    deep(50).replace('></a>', '><b/></a>'),
  ],
  ['a text of 100,000 letters', `<a>${long(100_000)}</a>`, `<a>${long(100_001)}</a>`],
  ['spaces of 100,000 letters behind it', `<a/>${' '.repeat(100_000)}`, `<a/>${' '.repeat(100_001)}`],
] as const)
  test(`XML may have ${name}, and not one more`, () => {
    assert.doesNotThrow(() => events([good]))
    assert.throws(() => events([tooMuch]), UnreadableStatement)
  })

for (const [entity, letter] of [
  ['&#9;', '\t'],
  ['&#10;', '\n'],
  ['&#13;', '\r'],
  ['&#x20;', ' '],
  ['&#xD7FF;', '\ud7ff'],
  ['&#xE000;', '\ue000'],
  ['&#x10FFFF;', '\u{10ffff}'],
  ['&lt;&gt;&quot;&apos;&amp;', '<>"\'&'],
] as const)
  test(`${entity} is read as its letter`, () => {
    assert.deepEqual(events([`<a>${entity}</a>`]), ['<a>', letter, '</a>'])
  })

for (const entity of ['&#8;', '&#11;', '&#31;', '&#xDFFF;', '&#x110000;', '&amp'])
  test(`${entity} is no letter that XML allows`, () => {
    assert.throws(() => events([`<a>${entity}</a>`]), UnreadableStatement)
  })

test('an attribute is read in either quotes, by its whole name', () => {
  assert.equal(attributeOf(' Ccy="EUR"', 'Ccy'), 'EUR')
  assert.equal(attributeOf(" xCcy='USD' Ccy = 'GBP'", 'Ccy'), 'GBP')
  assert.equal(attributeOf(' xCcy="USD"', 'Ccy'), '')
})

test('text outside of the document is refused, and CDATA too', () => {
  for (const text of ['x<a/>', '<![CDATA[x]]><a/>', '<a/><![CDATA[x]]>'])
    assert.throws(() => events([text]), UnreadableStatement, text)
  assert.deepEqual(events(['<a></a>\n<!-- the end -->\n']), ['<a>', '</a>'])
})
