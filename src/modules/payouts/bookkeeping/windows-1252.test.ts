import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toWindows1252 } from './windows-1252.ts'

const cases: readonly (readonly [text: string, hex: string])[] = [
  ['abc', '616263'],
  ['Größe', '4772f6dfe5'.replace('e5', '65')],
  ['€ 5', '802035'],
  ['„Anführung“ – ok…', '84416e66fc6872756e67932096206f6b85'],
  ['ÿŸžŽ', 'ff9f9e8e'],
  ['u\u0308', 'fc'],
  ['Dvořák', '44766f72e16b'],
  ['Łódź', '3ff3647a'],
  ['東京 😀', '3f3f203f'],
]

test('text becomes Windows-1252, one byte per letter', () => {
  for (const [text, hex] of cases) assert.equal(toWindows1252(text).toString('hex'), hex, text)
})

test('every byte of Windows-1252 is read back as written', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const text = new TextDecoder('windows-1252').decode(all)
  assert.deepEqual(new Uint8Array(toWindows1252(text)), all)
})
