import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Sql } from './sql.ts'

// What pg's own Query does for a statement with a name, for less: see docs/decisions/0012-statements-in-one-write.md.
// Parse, Bind, Execute and Sync leave in one buffer. PostgreSQL describes the columns when it parses, and not again:
// it refuses to run a statement whose columns have changed since. And no timer is set for a statement.

type Row = Record<string, unknown>
type Field = { readonly name: string; readonly dataTypeID: number }
type Named = Sql & { readonly name: string }
type Encoded = string | Buffer | null
type Parser = (text: string) => unknown

// Values go in exactly as pg would write them.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => Encoded | undefined
}

/** One connection and the statements it knows. */
export class Line {
  /** Undefined: a statement without rows. */
  readonly known = new Map<string, Columns | undefined>()
  readonly types: pg.TypeOverrides
  readonly #client: pg.ClientBase
  readonly #timeoutMs: number
  #running: Statement | undefined
  #since = 0
  #watch: NodeJS.Timeout | undefined

  constructor(client: pg.ClientBase, types: pg.TypeOverrides, timeoutMs: number) {
    this.types = types
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  /** `first` leaves in the same write; when it is refused, PostgreSQL does not look at the statement. */
  async query(statement: Sql, first?: Sql): Promise<Row[]> {
    if (isNamed(statement) && (first === undefined || isNamed(first))) {
      const group = first ? [first, statement] : [statement]
      return new Promise((resolve, reject) => {
        this.#client.query(new Statement(this, group, resolve, reject))
      })
    }
    if (first) await this.query(first)
    const { text } = statement
    const config = { text, values: statement.values as unknown[], query_timeout: this.#timeoutMs }
    return (await this.#client.query<Row>(config)).rows
  }

  /**
   * For a connection whose other end went silent. One timer for all statements of a connection, as a timer for each,
   * as pg has it, keeps the rows of statements long ended from being collected with the young objects.
   */
  started(statement: Statement): void {
    this.#running = statement
    this.#since = performance.now()
    if (this.#watch === undefined) this.#watch = setTimeout(() => this.#look(), this.#timeoutMs).unref()
  }

  ended(): void {
    this.#running = undefined
  }

  #look(): void {
    this.#watch = undefined
    if (this.#running === undefined) return
    const leftMs = this.#since + this.#timeoutMs - performance.now()
    if (leftMs > 0) this.#watch = setTimeout(() => this.#look(), leftMs).unref()
    else this.#running.handleError(new Error('Query read timeout'))
  }
}

function isNamed(statement: Sql): statement is Named {
  return statement.name !== undefined
}

/** Its methods are called by pg's Client, for the messages that belong to it. */
class Statement {
  readonly #line: Line
  readonly #group: readonly Named[]
  readonly #values: Encoded[][]
  readonly #resolve: (rows: Row[]) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[] = []
  #columns: Columns | undefined
  #unreadable: unknown

  constructor(
    line: Line,
    group: readonly Named[],
    resolve: (rows: Row[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#line = line
    this.#group = group
    // Here, as a value that can't be written must be refused before anything is sent.
    this.#values = group.map(({ values }) => values.map((value) => prepareValue(value) ?? null))
    this.#resolve = resolve
    this.#reject = reject
  }

  submit({ stream }: pg.Connection): void {
    const { known } = this.#line
    const parts: Buffer[] = []
    for (const [index, { name, text }] of this.#group.entries()) {
      if (!known.has(name)) parts.push(parse(name, text))
      const isLast = index === this.#group.length - 1
      parts.push(bind(name, this.#values[index] ?? [], isLast ? executeAndSync : execute))
      this.#columns = known.get(name)
    }
    this.#line.started(this)
    if (stream.writable) stream.write(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = new Columns(fields, this.#line.types)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#unreadable !== undefined) return
    try {
      this.#rows.push((this.#columns as Columns).read(fields))
    } catch (error) {
      this.#unreadable = error
    }
  }

  handleReadyForQuery(): void {
    const { known } = this.#line
    this.#line.ended()
    for (const [index, { name }] of this.#group.entries()) {
      if (!known.has(name)) known.set(name, index === this.#group.length - 1 ? this.#columns : undefined)
    }
    if (this.#unreadable === undefined) this.#resolve(this.#rows)
    else this.#reject(this.#unreadable)
  }

  handleError(error: Error & { readonly code?: string }): void {
    this.#line.ended()
    if (stale.has(error.code ?? '')) for (const { name } of this.#group) this.#line.known.delete(name)
    this.#reject(this.#unreadable ?? error)
  }

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('No source stream defined')
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
}

// "Cached plan must not change result type" and "prepared statement does not exist": it is parsed again next time.
const stale = new Set(['0A000', '26000'])

class Columns {
  readonly #names: string[]
  readonly #parsers: Parser[]
  readonly #empty: Row

  constructor(fields: readonly Field[], types: pg.TypeOverrides) {
    this.#names = fields.map(({ name }) => name)
    // Declared for numbers by mistake.
    this.#parsers = fields.map(
      ({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as unknown as Parser,
    )
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]))
  }

  /** A copy has the shape of its original at once; filling {} column by column took four times as long. */
  read(texts: readonly (string | null)[]): Row {
    const names = this.#names
    const parsers = this.#parsers
    const row = { ...this.#empty }
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] ?? null
      row[names[index] as string] = text === null ? null : parsers[index]?.(text)
    }
    return row
  }
}

const execute = message('E', '\0\0\0\0\0')
const executeAndSync = Buffer.concat([execute, message('S', '')])

/** Close first, which is no error for a name that is not there: after an error nobody knows whether it is. */
function parse(name: string, text: string): Buffer {
  const close = message('C', `S${name}\0`)
  return Buffer.concat([close, message('P', `${name}\0${text}\0\0\0`), message('D', `S${name}\0`)])
}

function message(code: string, body: string): Buffer {
  const bytes = Buffer.from(`${code}\0\0\0\0${body}`)
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

function bind(name: string, values: readonly Encoded[], next: Buffer): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)))
  const length = sizes.reduce((sum, size) => sum + 6 + size, 12 + name.length)
  const bytes = Buffer.allocUnsafe(1 + length + next.length)
  bytes[0] = 0x42 // B
  let at = bytes.writeInt32BE(length, 1)
  at += bytes.write(`\0${name}\0`, at)
  at = bytes.writeInt16BE(values.length, at)
  for (const value of values) at = bytes.writeInt16BE(value instanceof Buffer ? 1 : 0, at)
  at = bytes.writeInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    const size = sizes[index] ?? 0
    at = bytes.writeInt32BE(value === null ? -1 : size, at)
    if (typeof value === 'string') bytes.write(value, at)
    else if (value !== null) value.copy(bytes, at)
    at += size
  }
  at = bytes.writeInt16BE(0, at) // all columns as text
  next.copy(bytes, at)
  return bytes
}
