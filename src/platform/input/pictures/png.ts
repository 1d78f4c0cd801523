import { crc32, inflateSync } from 'node:zlib'

// Just enough of PNG to know what is in one, and to take out what need not be: a photo's place and time, text, animation, and
// whatever is hidden behind the end. Pixels stay as they are.

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

// Chunks the pixels need; all others are removed.
const wanted = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

export type Png = {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colourType: number
  readonly isInterlaced: boolean
  readonly palette: Buffer
  readonly transparency: Buffer
  /** Still compressed. */
  readonly data: Buffer
  /** The whole file, with only the wanted chunks. */
  readonly bytes: Buffer
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(signature)
}

/** Undefined when it is broken. Pixels are looked at by `inflatePng` alone. */
export function readPng(bytes: Buffer): Png | undefined {
  if (!isPng(bytes)) return undefined
  const chunks = readChunks(bytes)
  const header = chunks?.[0]
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13) return undefined
  const partOf = (type: string): Buffer =>
    Buffer.concat(chunks.filter((chunk) => chunk.type === type).map((chunk) => chunk.data))
  return {
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
    depth: header.data[8] ?? 0,
    colourType: header.data[9] ?? 0,
    isInterlaced: header.data[12] !== 0,
    palette: partOf('PLTE'),
    transparency: partOf('tRNS'),
    data: partOf('IDAT'),
    bytes: Buffer.concat([signature, ...chunks.map((chunk) => chunk.whole)]),
  }
}

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer }

/** The wanted chunks, up to the end; undefined if one is truncated or its checksum is wrong. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  let at = signature.length
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (wanted.has(type)) {
      if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined
      chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    }
    if (type === 'IEND') return chunks
    at = end
  }
  return undefined
}

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Bits of a pixel; undefined for kinds that there are not. */
function pixelBits({ depth, colourType }: Png): number | undefined {
  const samples = samplesOf[colourType]
  return samples === undefined || ![1, 2, 4, 8, 16].includes(depth) ? undefined : samples * depth
}

/** The rows as they are compressed, each with the number of its filter before it; undefined when they are broken. */
export function inflatePng(png: Png): Buffer | undefined {
  const bits = pixelBits(png)
  if (bits === undefined) return undefined
  const length = (Math.ceil((png.width * bits) / 8) + 1) * png.height
  // Interlaced rows are more and shorter: 7 passes of at most as many rows.
  const most = png.isInterlaced ? length * 2 + 7 * png.height : length
  try {
    const rows = inflateSync(png.data, { maxOutputLength: most })
    return png.isInterlaced || rows.length === length ? rows : undefined
  } catch {
    return undefined
  }
}

/** The bytes of the pixels without the filters. Only for 8 bits a sample, and not interlaced. */
export function unfilterPng(png: Png): Buffer | undefined {
  const rows = png.depth === 8 && !png.isInterlaced ? inflatePng(png) : undefined
  if (!rows) return undefined
  const pixel = samplesOf[png.colourType] ?? 1
  const width = png.width * pixel
  const plain = Buffer.alloc(width * png.height)
  // No test: writing past the end of a buffer does nothing
  for (let row = 0; row < png.height; row += 1) {
    const filter = rows[row * (width + 1)] ?? 0
    const start = row * width
    // No test: that byte belongs to the next row, which is written first
    for (let column = 0; column < width; column += 1) {
      const left = column < pixel ? 0 : (plain[start + column - pixel] ?? 0)
      const above = row === 0 ? 0 : (plain[start + column - width] ?? 0)
      const corner = row === 0 || column < pixel ? 0 : (plain[start + column - width - pixel] ?? 0)
      const stored = rows[row * (width + 1) + 1 + column] ?? 0
      plain[start + column] = stored + predicted(filter, left, above, corner)
    }
  }
  return plain
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const guess = left + above - corner
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ]
  // No test: the result is the same when left and above are equally near
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}
