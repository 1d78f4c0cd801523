import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { makePng } from '../../../../test/support/pictures.ts'
import { inflatePng, readPng, unfilterPng, type Png } from './png.ts'

const kinds = [
  { colourType: 0, samples: 1 },
  { colourType: 2, samples: 3 },
  { colourType: 4, samples: 2 },
  { colourType: 6, samples: 4 },
] as const

const picture = fc
  .record({
    kind: fc.constantFrom(...kinds),
    width: fc.integer({ min: 1, max: 6 }),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
  })
  .chain(({ kind, width, filters }) => {
    const length = kind.samples * width * filters.length
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((plain) => ({ kind, width, filters, plain }))
  })

test('pixels are restored from all five row filters', () => {
  fc.assert(
    fc.property(picture, ({ kind, width, filters, plain }) => {
      const bytes = kind.samples * width
      const at = (row: number, column: number): number =>
        row < 0 || column < 0 ? 0 : (plain[row * bytes + column] ?? 0)
      const rows = filters.map((filter, row) => [
        filter,
        ...Array.from({ length: bytes }, (_, column) => {
          const [left, above] = [at(row, column - kind.samples), at(row - 1, column)]
          const corner = column < kind.samples ? 0 : at(row - 1, column - kind.samples)
          return (
            at(row, column) -
            [0, left, above, Math.floor((left + above) / 2), nearest(left, above, corner)][filter]!
          )
        }),
      ])
      const png = pngOf(kind.colourType, width, rows)
      assert.deepEqual(unfilterPng(png), Buffer.from(plain))
      assert.equal(unfilterPng({ ...png, depth: 16 }), undefined)
      assert.equal(unfilterPng({ ...png, isInterlaced: true }), undefined)
      assert.equal(unfilterPng({ ...png, height: png.height + 1 }), undefined)
    }),
  )
})

function pngOf(colourType: number, width: number, rows: readonly (readonly number[])[]): Png {
  return {
    width,
    height: rows.length,
    depth: 8,
    colourType,
    isInterlaced: false,
    palette: Buffer.alloc(0),
    transparency: Buffer.alloc(0),
    data: deflateSync(Buffer.from(rows.flat())),
    bytes: Buffer.alloc(0),
  }
}

/** Of the three the one that is nearest to left + above − corner; the first of those that are as near. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [best = 0] = [left, above, corner].toSorted(
    (one, other) => Math.abs(guess - one) - Math.abs(guess - other),
  )
  return best
}

test('in a tie the Paeth filter prefers the left pixel, then the one above', () => {
  // Corner and above, then left and the pixel itself, which is stored as it is predicted.
  for (const [corner, above, left, pixel] of [
    [10, 13, 4, 4],
    [10, 4, 13, 4],
  ] as const) {
    const rows = [
      [0, corner, above],
      [4, left - corner, 0],
    ]
    assert.deepEqual([...(unfilterPng(pngOf(0, 2, rows)) ?? [])], [corner, above, left, pixel])
  }
})

test('a truncated file is broken, and so is one that is no PNG', () => {
  const whole = makePng(3, 2)
  for (let length = 0; length < whole.length; length += 1)
    assert.equal(readPng(whole.subarray(0, length)), undefined, `${length} bytes`)
  assert.deepEqual(readPng(whole)?.bytes, whole)
  const renamed = Buffer.from(whole)
  renamed[0] = 0x88
  assert.equal(readPng(renamed), undefined)
})

test('interlaced data may be larger than a plain picture’s, up to a limit', () => {
  const narrow = { ...pngOf(0, 1, []), height: 8, isInterlaced: true }
  const unpacked = (bytes: number): number | undefined =>
    inflatePng({ ...narrow, data: deflateSync(Buffer.alloc(bytes)) })?.length
  for (const bytes of [16, 88]) assert.equal(unpacked(bytes), bytes)
  assert.equal(unpacked(89), undefined)
})
