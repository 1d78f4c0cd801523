import { crc32, deflateSync } from 'node:zlib'

// Pictures that are made here, so that no test depends on a file or on a program of the machine.

type PngOptions = {
  readonly alpha?: boolean
  /** Chunks between the header and the pixels. */
  readonly extra?: readonly Buffer[]
  readonly after?: Buffer
}

export function makePng(width: number, height: number, options: PngOptions = {}): Buffer {
  const samples = options.alpha ? 4 : 3
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, options.alpha ? 6 : 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * samples + 1) * height)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * (width * samples + 1) + 1 + column * samples
      rows.set([0xd0, 0x40, 0x20, (column * 255) / width].slice(0, samples), at)
    }
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(options.extra ?? []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    options.after ?? Buffer.alloc(0),
  ])
}

export function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
  whole.writeUInt32BE(data.length, 0)
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4)
  return whole
}

/** One red point, 8 × 8, as a camera would save it: with a comment and a place. */
export const smallJpeg = makeJpeg(1)

/** Of grey or of three colours; four are for printing. */
export function makeJpeg(components: 1 | 3 | 4): Buffer {
  const each = (write: (component: number) => number[]): number[] =>
    Array.from({ length: components }, (_, index) => write(index + 1)).flat()
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('4a46494600010100000100010000', 'hex')),
    segment(0xe1, Buffer.from('Exif\0\0GPS 51.5074 N 0.1278 W', 'latin1')),
    segment(0xfe, Buffer.from('a comment', 'latin1')),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc0, Buffer.from([8, 0, 8, 0, 8, components, ...each((one) => [one, 0x11, 0])])),
    segment(0xc4, Buffer.concat([Buffer.from([0x00, 1]), Buffer.alloc(15), Buffer.from([0])])),
    segment(0xc4, Buffer.concat([Buffer.from([0x10, 1]), Buffer.alloc(15), Buffer.from([0])])),
    segment(0xda, Buffer.from([components, ...each((one) => [one, 0]), 0, 63, 0])),
    Buffer.from([0x3f, 0xff, 0xd9]),
  ])
}

export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
