// Just enough of JPEG to read its size, and to remove what a logo doesn't need: a photo's place and time, thumbnails,
// comments, and data after the end. Pixels stay as they are.

export type Jpeg = {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly bytes: Buffer
}

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
}

const startOfScan = 0xda
const endOfImage = 0xd9
// The frames that browsers draw: baseline, extended and progressive.
const frames = new Set([0xc0, 0xc1, 0xc2])
const comment = 0xfe

/** Undefined when it is broken, or of a kind that browsers do not draw. */
export function readJpeg(bytes: Buffer): Jpeg | undefined {
  if (!isJpeg(bytes)) return undefined
  const parts = [bytes.subarray(0, 2)]
  let size: Omit<Jpeg, 'bytes'> | undefined
  let at = 2
  // No test: such a chunk is empty and no pixels follow
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Any number of 0xff may come before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (frames.has(marker)) size = readFrame(bytes.subarray(at + 4, end))
    if (marker === startOfScan) {
      const last = bytes.lastIndexOf(Buffer.from([0xff, endOfImage]))
      if (!size || last <= end) return undefined
      return { ...size, bytes: Buffer.concat([...parts, bytes.subarray(at, last + 2)]) }
    }
    if (isWanted(marker)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return undefined
}

function readFrame(frame: Buffer): Omit<Jpeg, 'bytes'> | undefined {
  if (frame.length < 6) return undefined
  return { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3), components: frame[5] ?? 0 }
}

/** The only application segments kept describe the colours: JFIF, which comes first, and Adobe's. */
function isWanted(marker: number): boolean {
  const isOfOtherApplication = marker > 0xe0 && marker <= 0xef && marker !== 0xee
  return !isOfOtherApplication && marker !== comment
}
