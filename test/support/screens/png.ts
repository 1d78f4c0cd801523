import { crc32, deflateSync, inflateSync } from 'node:zlib'

// Reads the pictures that Chromium takes (eight bits, RGB or RGBA, not interlaced) and writes such ones: enough to compare two
// of them without another package.

export type Picture = {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel. */
  readonly pixels: Uint8Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function readPng(file: Buffer): Picture {
  if (!file.subarray(0, 8).equals(signature)) throw new Error('This is no PNG')
  const parts: Buffer[] = []
  let head: Buffer | undefined
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const data = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') head = data
    if (type === 'IDAT') parts.push(data)
    at += 12 + length
  }
  const channels = head?.[9] === 6 ? 4 : head?.[9] === 2 ? 3 : 0
  if (!head || head[8] !== 8 || channels === 0 || head[12] !== 0)
    throw new Error('This kind of PNG is not read')
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels)
  return { width, height, pixels: channels === 4 ? rows : withAlpha(rows, width * height) }
}

/** Each row begins with how its bytes were made from their neighbours. */
function unfilter(data: Buffer, rowSize: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(rowSize * height)
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (rowSize + 1)] ?? 0
    const from = row * (rowSize + 1) + 1
    const to = row * rowSize
    for (let column = 0; column < rowSize; column += 1) {
      const left = column >= channels ? (out[to + column - channels] ?? 0) : 0
      const up = row > 0 ? (out[to + column - rowSize] ?? 0) : 0
      const corner = row > 0 && column >= channels ? (out[to + column - rowSize - channels] ?? 0) : 0
      out[to + column] = (data[from + column] ?? 0) + predicted(filter, left, up, corner)
    }
  }
  return out
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function withAlpha(rgb: Uint8Array, count: number): Uint8Array {
  const pixels = new Uint8Array(count * 4).fill(255)
  for (let index = 0; index < count; index += 1) pixels.set(rgb.subarray(index * 3, index * 3 + 3), index * 4)
  return pixels
}

export function writePng({ width, height, pixels }: Picture): Buffer {
  const rows = Buffer.alloc((width * 4 + 1) * height)
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
