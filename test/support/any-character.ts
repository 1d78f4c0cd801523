import fc from 'fast-check'

const [surrogates, behindThem, last] = [0xd800, 0xe000, 0x10ffff]
const gap = behindThem - surrogates

/**
 * Any character that text can hold, for `fc.string({ unit: anyCharacter })`. fast-check's own `unit: 'binary'` writes a million
 * characters into a map for every such string, which takes most of a second and a hundred megabytes.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(last - gap).map(
  (at) => String.fromCodePoint(at < surrogates ? at : at + gap),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point) || !text.isWellFormed())
      throw new Error('Not one character')
    return point < surrogates ? point : point - gap
  },
)
