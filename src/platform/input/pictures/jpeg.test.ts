import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segment } from '../../../../test/support/pictures.ts'
import { isJpeg, readJpeg } from './jpeg.ts'

const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])
// 5 high, 7 wide, three colours.
const frame = segment(0xc0, Buffer.from([8, 0, 5, 0, 7, 3]))
const scan = Buffer.concat([segment(0xda, Buffer.from([0])), Buffer.from([0x3f])])
const plain = jpeg()

/** With these parts before its pixels. */
function jpeg(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([start, frame, ...parts, scan, end])
}

test('a JPEG’s size is read from the frame that browsers draw', () => {
  assert.deepEqual(readJpeg(plain), { width: 7, height: 5, components: 3, bytes: plain })
  for (const kind of [0xc0, 0xc1, 0xc2, 0xc3, 0xc9]) {
    const bytes = Buffer.from(plain)
    bytes[3] = kind
    assert.equal(readJpeg(bytes)?.width, kind <= 0xc2 ? 7 : undefined, kind.toString(16))
  }
})

test('application data and comments are removed, except the colour profile', () => {
  const gone = new Set([0xfe])
  for (let marker = 0xe1; marker <= 0xef; marker += 1) if (marker !== 0xee) gone.add(marker)
  for (const marker of [0xc4, 0xdb, 0xdd, ...Array.from({ length: 31 }, (_, index) => 0xe0 + index)]) {
    const bytes = jpeg(segment(marker, Buffer.from('here')))
    assert.deepEqual(readJpeg(bytes)?.bytes, gone.has(marker) ? plain : bytes, marker.toString(16))
  }
})

test('any number of fill bytes may come before a segment, and nothing else', () => {
  assert.deepEqual(readJpeg(jpeg(Buffer.from([0xff, 0xff, 0xff])))?.bytes, plain)
  assert.equal(readJpeg(jpeg(Buffer.from([0x00]))), undefined)
})

test('data after the end marker is dropped', () => {
  assert.deepEqual(readJpeg(Buffer.concat([plain, Buffer.from('hidden')]))?.bytes, plain)
})

test('a truncated JPEG, or one without a frame or pixels, is broken', () => {
  for (let length = 0; length < plain.length; length += 1)
    assert.equal(readJpeg(plain.subarray(0, length)), undefined, `${length} bytes`)
  const head = segment(0xda, Buffer.from([0]))
  assert.equal(readJpeg(Buffer.concat([start, scan, end])), undefined)
  assert.equal(readJpeg(Buffer.concat([start, frame, head, end])), undefined)
  const cut = segment(0xc0, Buffer.from([8, 0, 5, 0, 7]))
  assert.equal(readJpeg(Buffer.concat([start, cut, scan, end])), undefined)
})

test('a JPEG is recognised by all of its first three bytes', () => {
  assert.equal(isJpeg(plain), true)
  for (const at of [0, 1, 2]) {
    const bytes = Buffer.from(plain)
    bytes[at] = 0x20
    assert.equal(isJpeg(bytes), false)
    assert.equal(readJpeg(bytes), undefined)
  }
})
