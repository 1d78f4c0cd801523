import { UnreadableStatement, type BankEntry } from './bank-entry.ts'
import { makeCamtReader } from './read-camt.ts'
import { makeBankCsvReader } from './read-bank-csv.ts'
import { makeReading, type Reading } from './reading.ts'

// A bank's file, whichever it is: camt.053 or CSV, in the letters that it says or shows. It is read piece by piece, so that a
// large file needs no more memory than a small one.

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * `currency` is for a CSV that names none; what isn't read is added to `reading`. Throws `UnreadableStatement`, before or after
 * the first entries.
 */
export async function* readStatement(
  pieces: Pieces,
  currency?: string,
  reading: Reading = makeReading(),
): AsyncGenerator<BankEntry> {
  const read: BankEntry[] = []
  let reader: { write(piece: string): void; end(): void } | undefined
  let decode: ((piece?: Uint8Array) => string) | undefined
  for await (const piece of inSteps(pieces)) {
    decode ??= makeDecoder(piece)
    const text = decode(piece)
    reader ??= /^\s*</.test(text)
      ? makeCamtReader((entry) => read.push(entry), reading)
      : makeBankCsvReader(text, currency, (entry) => read.push(entry), reading)
    reader.write(text)
    yield* read.splice(0)
  }
  if (!reader || !decode) throw new UnreadableStatement('The file is empty')
  reader.write(decode())
  reader.end()
  yield* read
}

const stepBytes = 64 * 1024

/** The first step is large enough to judge the file by, and none is so large that its entries fill the memory. */
async function* inSteps(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0)
  for await (const piece of pieces) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece])
    const full = Math.floor(held.length / stepBytes) * stepBytes
    for (let from = 0; from < full; from += stepBytes) yield held.subarray(from, from + stepBytes)
    held = held.subarray(full)
  }
  if (held.length > 0) yield held
}

function makeDecoder(beginning: Uint8Array): (piece?: Uint8Array) => string {
  const start = Buffer.from(beginning.subarray(0, 200))
  if (start.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    throw new UnreadableStatement('This is a zip file. Unpack it and choose the file within')
  if (start.subarray(0, 5).toString('latin1') === '%PDF-')
    throw new UnreadableStatement('This is a PDF. Get a camt.053 or a CSV from your bank')
  const decoder = new TextDecoder(encodingOf(start, beginning))
  return (piece) => (piece ? decoder.decode(piece, { stream: true }) : decoder.decode())
}

function encodingOf(start: Buffer, beginning: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const declared = /^(?:\ufeff)?<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(start.toString('utf8'))?.[1]
  if (declared === undefined) return isText(beginning) ? 'utf-8' : 'windows-1252'
  try {
    return new TextDecoder(declared).encoding
  } catch {
    throw new UnreadableStatement(`The file says that its letters are ${declared}, which Florin can't read`)
  }
}

/** UTF-8, but for a letter that the end of the piece may cut in two. */
function isText(beginning: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    return true
  } catch {
    return false
  }
}
