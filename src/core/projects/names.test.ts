import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import { foldName, readName } from './names.ts'

test('folding matches every character with its upper and lower case', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    const forms = [foldName(character), character.toUpperCase(), character.toLowerCase()]
    const dull = (code >= 0xd800 && code <= 0xdfff) || forms.every((form) => form === character)
    if (dull || character === 'ı') continue
    if (forms.some((form) => foldName(form) !== forms[0])) wrong.push(code.toString(16))
  }
  assert.deepEqual(wrong, [])
})

test('names that differ only in case fold to the same', () => {
  const pairs: [string, string][] = [
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδός'.normalize('NFD').replaceAll('\u0301', '')],
    ['ЖУРНАЛ', 'журнал'],
    ['A\u0308pfel', 'äPFEL'],
    ['ﬁre', 'FIRE'],
    ['🎪 Circus', '🎪 CIRCUS'],
  ]
  for (const [one, other] of pairs) assert.equal(foldName(one), foldName(other))
})

test('the Turkish dotless i is a different letter from i', () => {
  assert.notEqual(foldName('kır'), foldName('kir'))
})

const refused: [unknown, string][] = [
  [undefined, 'project is required'],
  [null, 'project is required'],
  ['', 'project is required'],
  [7, 'project must be a string'],
  [['a'], 'project must be a string'],
  ['x'.repeat(256), 'project must be at most 255 characters'],
  ['🎪'.repeat(256), 'project must be at most 255 characters'],
  ['\u{1d160}'.repeat(255), 'project must be at most 255 characters'],
  ['a\nb', 'project must not contain control characters'],
  ['a\u0000b', 'project must not contain control characters'],
  ['a\u0085b', 'project must not contain control characters'],
  ['\ud800', 'project must be valid Unicode text'],
  [' ', 'project is required'],
  ['Till 4242-4242-4242-4242', 'project must not contain a card number: Florin never stores card numbers'],
  ['४२४२ ४२४२ ४२४२ ४२४२', 'project must not contain a card number: Florin never stores card numbers'],
  ['prj_0123456789ABCDEF', 'project must not look like a project id'],
]

for (const [given, rule] of refused) {
  test(`the name ${JSON.stringify(given)?.slice(0, 40)} is refused: ${rule}`, () => {
    const isRule = (error: unknown): boolean => {
      assert.deepEqual((error as Refusal).errors, { project: [rule] })
      return error instanceof Refusal
    }
    assert.throws(() => readName({ project: given }), isRule)
  })
}

const accepted = [
  'a',
  'x'.repeat(255),
  '🎪'.repeat(255),
  '%',
  '..',
  'a/b',
  '100 % _ \\',
  'prj_short',
  'Ж ß Ä',
]

for (const name of accepted) {
  test(`the name ${name.slice(0, 20)} is accepted`, () => {
    assert.deepEqual(readName({ project: name }), { name, folded: foldName(name) })
  })
}

test('surrounding white space of a name is removed', () => {
  for (const given of [' a', 'a\u3000', '\ta \n']) assert.equal(readName({ project: given }).name, 'a')
})
