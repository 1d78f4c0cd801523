import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvidence } from './read-evidence.ts'

const pdf = (bytes: number): Buffer => Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(bytes - 5)])

test('texts are trimmed, and empty fields and files are left out', () => {
  const fields = new Map([
    ['product_description', ' A chair '],
    ['explanation', '  '],
    ['stranger', 'x'],
  ])
  const { evidence, mistakes } = readEvidence(fields, new Map([['receipt_file', Buffer.alloc(0)]]))
  assert.deepEqual(evidence, { texts: { product_description: 'A chair' }, files: [] })
  assert.deepEqual(mistakes, {})
})

for (const [bytes, type] of [
  ['%PDF-1.7', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n0', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', undefined],
  ['%PDF', undefined],
] as const)
  test(`a file that begins with ${JSON.stringify(bytes)} is ${type ?? 'refused'}`, () => {
    const file = Buffer.from(bytes, 'latin1')
    const { evidence, mistakes } = readEvidence(new Map(), new Map([['delivery_file', file]]))
    assert.deepEqual(evidence.files, type ? [{ field: 'delivery_file', type, bytes: file }] : [])
    assert.deepEqual(mistakes, type ? {} : { delivery_file: 'Choose a PDF, PNG or JPEG file' })
  })

test('a text of 20,000 characters fits, and one more does not', () => {
  const mistakesFor = (length: number) =>
    readEvidence(new Map([['refund_policy', 'x'.repeat(length)]]), new Map()).mistakes
  assert.deepEqual(mistakesFor(20_000), {})
  assert.deepEqual(Object.keys(mistakesFor(20_001)), ['refund_policy'])
})

test('all files together are at most 4.5 MB', () => {
  const mistakesFor = (last: number) =>
    readEvidence(
      new Map(),
      new Map([
        ['receipt_file', pdf(4_000_000)],
        ['other_file', pdf(last)],
      ]),
    ).mistakes
  assert.deepEqual(mistakesFor(500_000), {})
  assert.match(mistakesFor(500_001)['receipt_file'] ?? '', /at most 4\.5 MB together/)
})

test('an answer with nothing in it is refused', () => {
  assert.match(readEvidence(new Map(), new Map()).mistakes['form'] ?? '', /Fill in a field/)
})
