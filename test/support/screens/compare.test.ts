import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './compare.ts'
import { readPng, writePng, type Picture } from './png.ts'

function plain(width: number, height: number, colour: readonly number[]): Picture {
  const pixels = Uint8Array.from({ length: width * height * 4 }, (_, index) => colour[index % 4] ?? 0)
  return { width, height, pixels }
}

const grey = [90, 90, 90, 255]

test('a written picture is read back unchanged', () => {
  const picture = plain(7, 3, [1, 200, 33, 255])
  picture.pixels[25] = 77
  assert.deepEqual(readPng(writePng(picture)), picture)
})

test('a file that is no PNG is reported as such', () => {
  assert.throws(() => readPng(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), /no PNG/)
})

test('a single changed pixel is found and marked red, and a slight shade is no change', () => {
  const before = plain(10, 10, grey)
  const after = plain(
    10,
    10,
    grey.map((value) => Math.min(255, value + 3)),
  )
  assert.equal(compare(before, after).count, 0)
  after.pixels[4 * 55] = 250
  const { count, picture } = compare(before, after)
  assert.equal(count, 1)
  assert.deepEqual([...picture.pixels.subarray(4 * 55, 4 * 55 + 4)], [208, 0, 0, 255])
})

test('a page that grew differs by what was added', () => {
  assert.equal(compare(plain(10, 10, grey), plain(10, 12, grey)).count, 20)
})
