import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate, plainText, unlinked } from './isolate.ts'

test('a name keeps its own direction inside a sentence of the other direction', () => {
  assert.equal(isolate('Toys Now!', 'ltr'), 'Toys Now!')
  assert.equal(isolate('Toys Now!', 'rtl'), '\u2068Toys Now!\u2069')
  assert.equal(isolate('متجر', 'ltr'), '\u2068متجر\u2069')
})

test('a name can’t reverse the sentence around it or escape its own direction', () => {
  assert.equal(isolate('Ada\u202e', 'ltr'), 'Ada')
  assert.equal(isolate('Ada\u2069 Toys\u2067', 'rtl'), '\u2068Ada Toys\u2069')
  assert.equal(isolate('Ada\u200f!', 'ltr'), '\u2068Ada\u200f!\u2069')
})

test('invisible characters are removed, except the joiners that scripts and emoji need', () => {
  assert.equal(plainText('or\u200bder\u2060-\ufeff1\u00ad'), 'order-1')
  const needed = ['می\u200cخواهم', '👩\u200d💻', 'क्\u200dष', '🏴\u{e0067}\u{e0062}\u{e007f}']
  for (const name of needed) assert.equal(plainText(name), name)
})

test('a link in a name is broken up so that no mail program links it, and other names are unchanged', () => {
  for (const [name, shown] of [
    ['Win at https://evil.example/a', 'Win at https[:]//evil[.]example/a'],
    ['www.evil.com', 'www[.]evil[.]com'],
    ['x.co now', 'x[.]co now'],
    ['Mail me@evil.org', 'Mail me@evil[.]org'],
    ['Dr.evil.COM', 'Dr[.]evil[.]COM'],
    ['пример.рф', 'пример[.]рф'],
  ] as const)
    assert.equal(unlinked(name), shown)
  for (const name of ['J.Smith', 'J. R. R. Tolkien', 'Ada Lovelace Jr.', 'Dr. Who', "O'Neil", 'St. John 3.5'])
    assert.equal(unlinked(name), name)
})
