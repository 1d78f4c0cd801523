import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import pg from 'pg'
import type { Sql } from './sql.ts'

// Does what pg's own Query does for a named statement, with a quarter to a third less processor time per look-up (one
// payment: 106 µs, not 159): see docs/decisions/0012-statements-in-one-write.md. Parse, Bind, Execute and Sync are sent
// in one buffer. PostgreSQL describes the columns when it parses, and not again: it refuses to run a statement whose
// columns have changed since. And no timer is set per statement.

type Row = Record<string, unknown>
type Field = { readonly name: string; readonly dataTypeID: number }
type Named = Sql & { readonly name: string }
type Encoded = string | Buffer | null
type Parser = (text: string) => unknown

// Values go in exactly as pg would write them.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => Encoded | undefined
}

export type Keeping = {
  /** False behind a pooler: the next statement may go to another process of PostgreSQL. */
  readonly keepsStatements?: boolean
  readonly knownMax?: number
}

/** One connection and the statements it knows. */
export class Connection {
  /** Undefined: a statement without rows. */
  readonly known = new Map<string, Columns | undefined>()
  /** With the time of asking, the oldest first. */
  readonly unanswered = new Map<Group, number>()
  readonly types: pg.TypeOverrides
  /** The command tag from PostgreSQL: COMMIT, or ROLLBACK instead of it. */
  lastAnswer = ''
  readonly #client: pg.ClientBase
  readonly keepsStatements: boolean
  readonly #timeoutMs: number
  /** PostgreSQL keeps a plan of each in memory. */
  readonly #knownMax: number
  #watch: NodeJS.Timeout | undefined

  constructor(client: pg.ClientBase, types: pg.TypeOverrides, timeoutMs: number, options: Keeping = {}) {
    this.keepsStatements = options.keepsStatements ?? true
    this.#knownMax = options.knownMax ?? Infinity
    this.types = types
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  /** The statements that have not been used for longest, so that no more than `knownMax` are kept. */
  forgetOldest(used: readonly { readonly name: string }[]): string[] {
    if (this.known.size < this.#knownMax) return []
    for (const { name } of used) {
      if (!this.known.has(name)) continue
      const columns = this.known.get(name)
      this.known.delete(name)
      this.known.set(name, columns)
    }
    const oldest = [...this.known.keys()].slice(0, Math.max(0, this.known.size - this.#knownMax))
    for (const name of oldest) this.known.delete(name)
    return oldest
  }

  /** All leave in one write; after one that is refused, PostgreSQL does not look at the others. The rows of each. */
  async query(statements: readonly Sql[]): Promise<Row[][]> {
    if (statements.every(isNamed)) {
      const sent = new Group(this, statements)
      this.unanswered.set(sent, performance.now())
      if (this.#watch === undefined) this.#watch = setTimeout(() => this.#look(), this.#timeoutMs).unref()
      this.#client.query(sent)
      return sent.answer.promise
    }
    const rows: Row[][] = []
    for (const statement of statements) rows.push(await this.#queryOne(statement))
    return rows
  }

  async #queryOne(statement: Sql): Promise<Row[]> {
    if (isNamed(statement)) return (await this.query([statement]))[0] ?? []
    const { text, values } = statement
    const config = { text, values: values as unknown[], query_timeout: this.#timeoutMs }
    return (await this.#client.query<Row>(config)).rows
  }

  /**
   * Fails the statements of a connection whose other end went silent. One timer for the connection: with one for each
   * statement, as in pg, the rows of ended statements outlived young collections, which took 10 to 50 ms in place of 1.
   */
  #look(): void {
    this.#watch = undefined
    const [oldest] = this.unanswered
    if (oldest === undefined) return
    const leftMs = oldest[1] + this.#timeoutMs - performance.now()
    if (leftMs <= 0) oldest[0].handleError(new Error('Query read timeout'))
    this.#watch = setTimeout(() => this.#look(), Math.max(leftMs, 1)).unref()
  }
}

function isNamed(statement: Sql): statement is Named {
  return statement.name !== undefined
}

/** Its methods are called by pg's Client, for the messages that belong to it. */
class Group {
  readonly answer = Promise.withResolvers<Row[][]>()
  readonly #connection: Connection
  readonly #group: readonly Named[]
  readonly #runs: readonly Buffer[]
  readonly #rows: Row[][]
  readonly #columns: (Columns | undefined)[]
  /** The one that PostgreSQL answers now. */
  #at = 0
  #unreadable: unknown

  constructor(connection: Connection, statements: readonly Named[]) {
    this.#connection = connection
    // Without a name a statement is parsed again each time, in the same write.
    const group = connection.keepsStatements ? statements : statements.map((one) => ({ ...one, name: '' }))
    this.#group = group
    this.#rows = group.map(() => [])
    this.#columns = group.map(() => undefined)
    // Encoded before anything is sent, so that a value that can't be written fails this group and nothing else.
    this.#runs = group.map((one, index) => bind(one, index < group.length - 1 ? execute : executeAndSync))
  }

  submit({ stream }: pg.Connection): void {
    const { known } = this.#connection
    const parts = this.#connection.forgetOldest(this.#group).map((name) => message('C', `S${name}\0`))
    for (const [index, { name, text }] of this.#group.entries()) {
      if (!known.has(name)) parts.push(parse(name, text))
      parts.push(this.#runs[index] as Buffer)
      this.#columns[index] = known.get(name)
    }
    if (stream.writable) stream.write(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns[this.#at] = new Columns(fields, this.#connection.types)
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#unreadable !== undefined) return
    try {
      this.#rows[this.#at]?.push((this.#columns[this.#at] as Columns).read(fields))
    } catch (error) {
      this.#unreadable = error
    }
  }

  handleReadyForQuery(): void {
    this.#connection.unanswered.delete(this)
    for (const [index, { name }] of this.#group.entries())
      if (name !== '') this.#connection.known.set(name, this.#columns[index])
    if (this.#unreadable === undefined) this.answer.resolve(this.#rows)
    else this.answer.reject(this.#unreadable)
  }

  handleError(error: Error & { readonly code?: string }): void {
    this.#connection.unanswered.delete(this)
    if (stale.has(error.code ?? '')) for (const { name } of this.#group) this.#connection.known.delete(name)
    this.answer.reject(this.#unreadable ?? error)
  }

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('No source stream defined')
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#connection.lastAnswer = text
    this.#at += 1
  }

  handleEmptyQuery(): void {
    this.#at += 1
  }
  handleCopyData(): void {}
}

// "Cached plan must not change result type" and "prepared statement does not exist": it is parsed again next time.
const stale = new Set(['0A000', '26000'])

class Columns {
  readonly #parsers: Parser[]
  readonly #make: MakeRow

  constructor(fields: readonly Field[], types: pg.TypeOverrides) {
    // The cast is for pg's type declaration, which says number where its parsers take text.
    this.#parsers = fields.map(
      ({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as unknown as Parser,
    )
    this.#make = makeRowOf(fields.map(({ name }) => name))
  }

  read(texts: readonly (string | null)[]): Row {
    return this.#make(texts, this.#parsers)
  }
}

type MakeRow = (texts: readonly (string | null)[], parsers: readonly Parser[]) => Row

const madeBefore = new Map<string, MakeRow>()

/**
 * A function of their own for rows with these columns: V8 compiles it to one allocation. One loop for the rows of all statements
 * meets too many shapes for that, and took 2.3 µs for 24 columns where this takes 0.14. The names are those of our statements.
 */
function makeRowOf(names: readonly string[]): MakeRow {
  const fields = names.map((name, at) => `${fieldName(name)}: t[${at}] === null ? null : p[${at}](t[${at}])`)
  const body = `return { ${fields.join(', ')} }`
  const made = madeBefore.get(body) ?? (compileFunction(body, ['t', 'p']) as MakeRow)
  madeBefore.set(body, made) // No test: a cache: the result is the same
  return made
}

function fieldName(name: string): string {
  // Without the brackets it would be the row's prototype.
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)
}

const execute = message('E', '\0\0\0\0\0')
const executeAndSync = Buffer.concat([execute, message('S', '')])

/** Closes the name first, as after an error it may or may not be in use; closing a name that is not is no error. */
function parse(name: string, text: string): Buffer {
  const close = message('C', `S${name}\0`)
  return Buffer.concat([close, message('P', `${name}\0${text}\0\0\0`), message('D', `S${name}\0`)])
}

function message(code: string, body: string): Buffer {
  const bytes = Buffer.from(`${code}\0\0\0\0${body}`)
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

function bind({ name, values }: Named, next: Buffer): Buffer {
  const encoded = values.map((value) => prepareValue(value) ?? null)
  const sizes = encoded.map((value) => (value === null ? 0 : Buffer.byteLength(value)))
  const length = sizes.reduce((sum, size) => sum + 6 + size, 12 + name.length)
  const bytes = Buffer.allocUnsafe(1 + length + next.length)
  bytes[0] = 0x42 // B
  let at = bytes.writeInt32BE(length, 1)
  at += bytes.write(`\0${name}\0`, at)
  at = bytes.writeUInt16BE(encoded.length, at)
  for (const value of encoded) at = bytes.writeInt16BE(value instanceof Buffer ? 1 : 0, at)
  at = bytes.writeUInt16BE(encoded.length, at)
  for (const [index, value] of encoded.entries()) {
    const size = sizes[index] ?? 0
    at = bytes.writeInt32BE(value === null ? -1 : size, at)
    if (typeof value === 'string') bytes.write(value, at)
    else if (value !== null) value.copy(bytes, at)
    at += size
  }
  next.copy(bytes, bytes.writeInt16BE(0, at)) // 0: all columns as text
  return bytes
}

export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoMicroseconds)
// As it is written: a Date of JavaScript would be midnight somewhere, and a cluster takes no `day::text` in RETURNING.
types.setTypeParser(pg.types.builtins.DATE, String)

/** `2026-11-15 14:05:00.12+00` → `2026-11-15T14:05:00.120000Z`. A Date would lose the microseconds. */
export function isoMicroseconds(text: string): string {
  const fraction = text.length > 22 && text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`
}
