import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunk, makePng, smallJpeg } from '../../../../test/support/pictures.ts'
import { checkPicture, type Checked } from './check-picture.ts'
import { readPng, unfilterPng } from '../../../platform/input/pictures/png.ts'

function ruleOf(bytes: Buffer): string {
  const checked = checkPicture(bytes)
  return checked.ok ? 'taken' : checked.rule
}

function pictureOf(bytes: Buffer): Extract<Checked, { ok: true }>['picture'] {
  const checked = checkPicture(bytes)
  assert.ok(checked.ok, checked.ok ? '' : checked.rule)
  return checked.picture
}

test('PNG and JPEG are recognised by their bytes', () => {
  const png = pictureOf(makePng(40, 20))
  assert.deepEqual([png.type, png.width, png.height], ['image/png', 40, 20])
  const jpeg = pictureOf(smallJpeg)
  assert.deepEqual([jpeg.type, jpeg.width, jpeg.height], ['image/jpeg', 8, 8])
})

test('everything but pixels is removed: location, comments, animation and trailing data', () => {
  const extra = [chunk('tEXt', Buffer.from('Comment\0secret place')), chunk('acTL', Buffer.alloc(8))]
  const hidden = Buffer.from('<script>alert(1)</script>')
  const png = pictureOf(makePng(4, 4, { extra, after: hidden })).bytes
  assert.deepEqual(png, makePng(4, 4))
  const jpeg = pictureOf(Buffer.concat([smallJpeg, hidden])).bytes.toString('latin1')
  assert.ok(jpeg.includes('JFIF') && !/GPS|comment|script/.test(jpeg))
})

test('SVG and other files are refused, whatever their name', () => {
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '\u00ef\u00bb\u00bf<?xml version="1.0"?><svg/>',
    '  <!-- x --><svg/>',
  ]) {
    assert.match(ruleOf(Buffer.from(text, 'latin1')), /SVG can hold scripts/)
  }
  for (const text of ['GIF89a', '<html>', '', 'RIFF....WEBP']) {
    assert.equal(ruleOf(Buffer.from(text)), 'must be a PNG or a JPEG')
  }
})

test('a picture that is too large is refused with its size, before it is unpacked', () => {
  // A bomb: 60,000 pixels a side in a few bytes.
  const bomb = makePng(2, 2)
  bomb.writeUInt32BE(60_000, 16)
  const header = chunk('IHDR', bomb.subarray(16, 29))
  header.copy(bomb, 8)
  assert.match(ruleOf(bomb), /60000 × 2/)
})

test('a picture has 1 to 1024 pixels on each side, and up to 200 kB', () => {
  for (const [width, height, isTaken] of [
    [1, 1, true],
    [0, 1, false],
    [1, 0, false],
    [1024, 1, true],
    [1025, 1, false],
    [1, 1024, true],
    [1, 1025, false],
  ] as const) {
    const rule = `must be at most 1024 × 1024 pixels, but has ${width} × ${height}`
    assert.equal(ruleOf(makePng(width, height)), isTaken ? 'taken' : rule)
  }
  const padding = (bytes: number): Buffer => Buffer.alloc(bytes - smallJpeg.length)
  assert.equal(ruleOf(Buffer.concat([smallJpeg, padding(200 * 1024)])), 'taken')
  assert.equal(ruleOf(Buffer.concat([smallJpeg, padding(200 * 1024 + 1)])), 'must be at most 200 kB')
})

test('a broken picture is refused: truncated, with a wrong checksum, or with other pixels than declared', () => {
  const png = makePng(40, 20)
  assert.match(ruleOf(png.subarray(0, png.length - 20)), /broken/)
  const wrong = Buffer.from(png)
  wrong[60] = (wrong[60] ?? 0) ^ 1
  assert.match(ruleOf(wrong), /broken/)
  const short = Buffer.from(png)
  short.writeUInt32BE(41, 16)
  chunk('IHDR', short.subarray(16, 29)).copy(short, 8)
  assert.match(ruleOf(short), /broken/)
  assert.match(ruleOf(smallJpeg.subarray(0, smallJpeg.length - 2)), /broken/)
})

test('pixels are read back as written', () => {
  const png = readPng(makePng(3, 2, { alpha: true }))
  assert.ok(png)
  assert.deepEqual(
    [...(unfilterPng(png) ?? [])].slice(0, 12),
    [0xd0, 0x40, 0x20, 0, 0xd0, 0x40, 0x20, 85, 0xd0, 0x40, 0x20, 170],
  )
})
