import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeJpeg, makePng } from '../../../../test/support/pictures.ts'
import type { Picture } from '../../../merchants/pictures/pictures.ts'
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

test('a JPEG stays as it is, in grey or in colours; those for printing are left out', () => {
  assert.equal(described('image/jpeg', makeJpeg(1)), `${shape} /ColorSpace /DeviceGray /Filter /DCTDecode`)
  assert.equal(described('image/jpeg', makeJpeg(3)), `${shape} /ColorSpace /DeviceRGB /Filter /DCTDecode`)
  assert.equal(described('image/jpeg', makeJpeg(4)), undefined)
})

test('what shows through in a PNG shows through in the PDF', () => {
  assert.equal(described('image/png', makePng(8, 8)), `${shape} /ColorSpace /DeviceRGB /Filter /FlateDecode`)
  assert.equal(
    described('image/png', makePng(8, 8, { alpha: true })),
    `${shape} /ColorSpace /DeviceRGB /SMask 1 0 R /Filter /FlateDecode`,
  )
})
