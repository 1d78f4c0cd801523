import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { unfilterPng, type Png } from './png.ts'

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

test('pixels come out as they were before each row was filtered in one of the five ways', () => {
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
      const png: Png = {
        width,
        height: filters.length,
        depth: 8,
        colourType: kind.colourType,
        isInterlaced: false,
        palette: Buffer.alloc(0),
        transparency: Buffer.alloc(0),
        data: deflateSync(Buffer.from(rows.flat())),
        bytes: Buffer.alloc(0),
      }
      assert.deepEqual(unfilterPng(png), Buffer.from(plain))
      assert.equal(unfilterPng({ ...png, depth: 16 }), undefined)
      assert.equal(unfilterPng({ ...png, isInterlaced: true }), undefined)
      assert.equal(unfilterPng({ ...png, height: png.height + 1 }), undefined)
    }),
  )
})

/** Of the three the one that is nearest to left + above − corner; the first of those that are as near. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [best = 0] = [left, above, corner].toSorted(
    (one, other) => Math.abs(guess - one) - Math.abs(guess - other),
  )
  return best
}
