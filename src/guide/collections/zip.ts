import { crc32, deflateRawSync } from 'node:zlib'

// A ZIP archive of a few small text files: no dates, no rights, names in UTF-8.

export type ZipFile = { readonly name: string; readonly text: string }

const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const versionNeeded = 20
const utf8Flag = 0x0800
const deflated = 8
/** The first day that the format knows, so that the same files always make the same bytes. */
const firstDay = 0x0021

export function makeZip(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, text } of files) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const described = describe(bytes, packed, path)
    const local = Buffer.concat([uint32(localSignature), described, path, packed])
    // No comment, disk 0, no attributes.
    const placed = Buffer.concat([Buffer.alloc(10), uint32(offset)])
    central.push(Buffer.concat([uint32(centralSignature), uint16(versionNeeded), described, placed, path]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const count = uint16(files.length)
  const end = Buffer.concat([
    uint32(endSignature),
    Buffer.alloc(4),
    count,
    count,
    uint32(directory.length),
    uint32(offset),
    uint16(0),
  ])
  return Buffer.concat([...locals, directory, end])
}

/** The fields both headers of a file share, from the version to the length of the extra field. */
function describe(bytes: Buffer, packed: Buffer, path: Buffer): Buffer {
  return Buffer.concat([
    ...[versionNeeded, utf8Flag, deflated, 0, firstDay].map(uint16),
    ...[crc32(bytes), packed.length, bytes.length].map(uint32),
    ...[path.length, 0].map(uint16),
  ])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
