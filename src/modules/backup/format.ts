import { createHash, type Hash } from 'node:crypto'
import { BackupRefused } from './backup-refused.ts'

// A backup is gzipped text: two header lines; for each table a line with its name, its rows in COPY format, and a line
// `\.`; and a last line with the number of rows and a checksum of everything before it. A file without that last line
// is no backup.

export const firstLine = 'florin backup 1'

export type Head = {
  readonly program: string
  readonly postgres: string
  readonly at: string
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
}
export type TableHead = { readonly name: string; readonly columns: readonly string[] }
export type Sequence = {
  readonly table: string
  readonly column: string
  readonly value: string
  readonly isCalled: boolean
}
export type End = {
  readonly rows: Readonly<Record<string, number>>
  readonly sequences: readonly Sequence[]
  readonly sha256: string
}

export const endOfRows = Buffer.from('\\.\n')
const endAfterRow = Buffer.from('\n\\.\n')
const newline = 10
/** Longer than any row: a picture of 200 kB is the largest thing that Florin keeps. */
const lineBytesMax = 64 * 1024 * 1024

/** Reads what `source` gives, line by line and rows by rows, and holds no more of it than one piece and one row. */
export class BackupReader {
  bytes = 0
  readonly #source: AsyncIterator<Buffer>
  readonly #hash: Hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async head(): Promise<Head> {
    if ((await this.#line()) !== firstLine) throw new BackupRefused('This is not a Florin backup.')
    return JSON.parse(await this.#line()) as Head
  }

  /** The next table, or how it ends. */
  async next(): Promise<{ table: TableHead } | { end: End }> {
    const before = this.#hash.copy().digest('hex')
    const line = await this.#line()
    if (line.startsWith('table ')) return { table: JSON.parse(line.slice('table '.length)) as TableHead }
    if (!line.startsWith('end ')) throw damaged()
    const end = JSON.parse(line.slice('end '.length)) as End
    if (end.sha256 !== before) throw damaged()
    if (this.#rest.length > 0 || (await this.#more())) throw damaged()
    return { end }
  }

  /** Whole rows of this table, some at a time; undefined when there are no more. */
  async rows(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#rest.length >= endOfRows.length && this.#rest.subarray(0, 3).equals(endOfRows)) {
        this.#take(endOfRows.length)
        return undefined
      }
      const end = this.#rest.indexOf(endAfterRow)
      const last = end === -1 ? this.#rest.lastIndexOf(newline) : end
      if (last !== -1) return this.#take(last + 1)
      if (!(await this.#more())) throw cutOff()
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(newline)
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end)
      if (!(await this.#more())) throw cutOff()
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    this.#hash.update(taken)
    return taken
  }

  async #more(): Promise<boolean> {
    if (this.#rest.length > lineBytesMax) throw damaged()
    const { value, done } = await this.#read()
    if (done === true) return false
    this.bytes += value.length
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }

  /** gunzip has a checksum of its own, and says "unexpected end of file" where one was cut. */
  async #read(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      return (await this.#source.next()) as IteratorResult<Buffer, undefined>
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'Z_BUF_ERROR') throw cutOff()
      if (code === 'Z_DATA_ERROR') throw this.bytes === 0 ? notOurs() : damaged()
      throw error
    }
  }
}

function notOurs(): BackupRefused {
  return new BackupRefused('This is not a Florin backup.')
}

function cutOff(): BackupRefused {
  return new BackupRefused('The backup is incomplete: its end is missing. Nothing was restored.')
}

function damaged(): BackupRefused {
  return new BackupRefused('The backup is damaged: its checksum is wrong. Nothing was restored.')
}
