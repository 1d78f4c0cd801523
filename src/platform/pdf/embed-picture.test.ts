import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { chunk, makeJpeg, makePng } from '../../../test/support/pictures.ts'
import { objectsOf, unpack } from '../../../test/support/read-pdf.ts'
import type { Picture } from '../../core/merchants/pictures/pictures.ts'
import { embedPicture } from './embed-picture.ts'
import { PdfObjects } from './pdf-objects.ts'

/** What the PDF says of the picture; undefined when it can't hold it. */
function described(type: Picture['type'], bytes: Buffer): string | undefined {
  const objects = new PdfObjects()
  const number = embedPicture(objects, { type, bytes, width: 8, height: 8 })
  if (number === undefined) return undefined
  const text = objects.write(number, number).toString('latin1')
  return new RegExp(`\\n${number} 0 obj\\n<< (.*?) /Length`).exec(text)?.[1]
}

const shape = '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 8'

test('a grey or colour JPEG is embedded unchanged; CMYK ones are left out', () => {
  assert.equal(described('image/jpeg', makeJpeg(1)), `${shape} /ColorSpace /DeviceGray /Filter /DCTDecode`)
  assert.equal(described('image/jpeg', makeJpeg(3)), `${shape} /ColorSpace /DeviceRGB /Filter /DCTDecode`)
  assert.equal(described('image/jpeg', makeJpeg(4)), undefined)
})

test('a PNG’s transparency is kept in the PDF', () => {
  assert.equal(described('image/png', makePng(8, 8)), `${shape} /ColorSpace /DeviceRGB /Filter /FlateDecode`)
  assert.equal(
    described('image/png', makePng(8, 8, { alpha: true })),
    `${shape} /ColorSpace /DeviceRGB /SMask 1 0 R /Filter /FlateDecode`,
  )
})

/** Two by two, from the samples of its pixels. */
function pngOf(colourType: number, pixels: readonly number[], extra: readonly Buffer[] = []): Buffer {
  const row = pixels.length / 2
  const rows = Buffer.from([0, ...pixels.slice(0, row), 0, ...pixels.slice(row)])
  return Buffer.concat([
    makePng(1, 1).subarray(0, 8),
    chunk('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, colourType, 0, 0, 0])),
    ...extra,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** What a reader of the PDF draws: the colours, and how much of each shows. */
function drawn(bytes: Buffer): unknown {
  const objects = new PdfObjects()
  const number = embedPicture(objects, { type: 'image/png', bytes, width: 2, height: 2 })
  const written = objectsOf(objects.write(number ?? 0, 0).toString('latin1'))
  const samplesOf = (object: string): number[] => [...Buffer.from(unpack(object), 'latin1')]
  const colours = written.get(String(number)) ?? ''
  const mask = /\/SMask (\d+) 0 R/.exec(colours)?.[1]
  return {
    space: /\/ColorSpace \/(\w+)/.exec(colours)?.[1],
    colours: samplesOf(colours),
    ...(mask !== undefined && { alpha: samplesOf(written.get(mask) ?? '') }),
  }
}

const fourColours = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

test('every kind of PNG has the same pixels in the PDF as on screen', () => {
  assert.deepEqual(drawn(pngOf(0, [1, 2, 3, 4])), { space: 'DeviceGray', colours: [1, 2, 3, 4] })
  assert.deepEqual(drawn(pngOf(2, fourColours)), { space: 'DeviceRGB', colours: fourColours })
  assert.deepEqual(drawn(pngOf(4, [1, 91, 2, 92, 3, 93, 4, 94])), {
    space: 'DeviceGray',
    colours: [1, 2, 3, 4],
    alpha: [91, 92, 93, 94],
  })
  assert.deepEqual(drawn(pngOf(6, [1, 2, 3, 91, 4, 5, 6, 92, 7, 8, 9, 93, 10, 11, 12, 94])), {
    space: 'DeviceRGB',
    colours: fourColours,
    alpha: [91, 92, 93, 94],
  })
})

test('a palette PNG keeps its colours and their transparency', () => {
  const palette = chunk('PLTE', Buffer.from(fourColours))
  const colours = [10, 11, 12, 1, 2, 3, 7, 8, 9, 4, 5, 6]
  assert.deepEqual(drawn(pngOf(3, [3, 0, 2, 1], [palette])), { space: 'DeviceRGB', colours })
  const transparency = chunk('tRNS', Buffer.from([0, 128]))
  assert.deepEqual(drawn(pngOf(3, [3, 0, 2, 1], [palette, transparency])), {
    space: 'DeviceRGB',
    colours,
    alpha: [255, 0, 255, 128],
  })
})
