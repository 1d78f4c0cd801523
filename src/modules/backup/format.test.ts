import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { BackupReader, endOfRows, firstLine, type End } from './format.ts'

const head = { program: '1.2.3', postgres: '18.4', at: '2026-11-16T12:00:00.000Z', migrations: [] }
const rows = ['1\tone\n', '2\t\\\\.\n', '3\tthree \\\\.\n'].join('')
const tables = [
  `${firstLine}\n${JSON.stringify(head)}\n`,
  `table {"name":"full","columns":["a","b"]}\n${rows}${endOfRows.toString()}`,
  `table {"name":"empty","columns":["a"]}\n${endOfRows.toString()}`,
].join('')
const sha256 = createHash('sha256').update(tables).digest('hex')
const end: End = { rows: { full: 3, empty: 0 }, sequences: [], sha256 }
const whole = `${tables}end ${JSON.stringify(end)}\n`

/** The same bytes, so many at a time. */
async function* inPieces(text: string, bytes = text.length): AsyncGenerator<Buffer, undefined> {
  for (let at = 0; at < text.length; at += bytes) yield Buffer.from(text.slice(at, at + bytes))
  return undefined
}

async function readAll(source: AsyncIterable<Buffer>) {
  const reader = new BackupReader(source)
  const found: Record<string, string> = {}
  const read = { head: await reader.head(), found }
  for (;;) {
    const part = await reader.next()
    if ('end' in part) return { ...read, end: part.end, bytes: reader.bytes }
    const { name } = part.table
    found[name] = ''
    for (let some = await reader.rows(); some !== undefined; some = await reader.rows()) {
      assert.equal(some.at(-1), 10, 'whole rows')
      found[name] += some.toString()
    }
  }
}

test('a backup can be read in pieces of any size', async () => {
  const expected = { head, found: { full: rows, empty: '' }, end, bytes: whole.length }
  for (const bytes of [1, 2, 3, 4, 5, 7, 64, whole.length])
    assert.deepEqual(await readAll(inPieces(whole, bytes)), expected, `${bytes} bytes at a time`)
})

test('a backup that ends too early is reported as truncated, at any point', async () => {
  for (let length = 0; length < whole.length; length += 1)
    await assert.rejects(readAll(inPieces(whole.slice(0, length))), /incomplete/, `after ${length} bytes`)
})

for (const [what, text, refusal] of [
  ['of another program', `another file\n${whole}`, /not a Florin backup/],
  ['of another version', whole.replace(firstLine, 'florin backup 2'), /not a Florin backup/],
  ['with a changed row', whole.replace('one', 'two'), /damaged/],
  ['with another checksum', whole.replace(sha256, sha256.replaceAll(/./g, '0')), /damaged/],
  ['with something behind its end', `${whole}x`, /damaged/],
  [
    'with a line that is neither table nor end',
    whole.replace('table {"name":"e', 'tible {"name":"e'),
    /damaged/,
  ],
] as const)
  test(`a file ${what} is refused`, async () => {
    await assert.rejects(readAll(inPieces(text)), refusal)
    // In two pieces, of which the second is the last letter.
    await assert.rejects(readAll(inPieces(text, text.length - 1)), refusal)
  })

for (const [code, given, refusal] of [
  ['Z_DATA_ERROR', '', /not a Florin backup/],
  ['Z_DATA_ERROR', tables, /damaged/],
  ['Z_BUF_ERROR', '', /incomplete/],
  ['Z_BUF_ERROR', tables, /incomplete/],
  ['EIO', tables, /the disk/],
] as const)
  test(`an unpacking error ${code} after ${given.length} bytes is reported as ${refusal}`, async () => {
    async function* failing(): AsyncGenerator<Buffer, undefined> {
      if (given !== '') yield Buffer.from(given)
      throw Object.assign(new Error('the disk'), { code })
    }
    await assert.rejects(readAll(failing()), refusal)
  })

const lineBytesMax = 64 * 1024 * 1024
for (const [bytes, refusal] of [
  [lineBytesMax, /not a Florin backup/],
  [lineBytesMax + 1, /damaged/],
] as const)
  test(`a line of ${bytes} bytes so far is ${bytes > lineBytesMax ? 'too long to be one' : 'read on'}`, async () => {
    async function* long(): AsyncGenerator<Buffer, undefined> {
      yield Buffer.alloc(bytes, 'x')
      yield Buffer.from('\n')
      return undefined
    }
    await assert.rejects(new BackupReader(long()).head(), refusal)
  })
