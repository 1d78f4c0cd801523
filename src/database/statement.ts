import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Sql } from './sql.ts'

// A named statement, for client.query of pg, in place of pg's own Query.

type Row = Record<string, unknown>
type Prepared = string | Buffer | null
type Field = { readonly name: string; readonly dataTypeID: number }
type Connection = pg.Connection & { sendCopyFail(reason: string): void }

// The values go in as pg itself would write them.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => Prepared | undefined
}

const begin = { name: 'florin_begin', text: 'begin' }
const describedBy = new WeakMap<pg.ClientBase, Map<string, Columns>>()
/** After these codes the statement is parsed again: its result has other columns now, or it is not there. */
const stale = new Set(['0A000', '26000'])

export class Statement {
  callback: (error: unknown, rows?: Row[]) => void
  readonly #client: pg.ClientBase
  readonly #known: Map<string, Columns>
  readonly #name: string
  readonly #text: string
  readonly #values: Prepared[]
  readonly #withBegin: boolean
  readonly #rows: Row[] = []
  #columns: Columns | undefined
  #misread: unknown

  constructor(
    client: pg.ClientBase,
    statement: Sql & { name: string },
    withBegin: boolean,
    callback: (error: unknown, rows?: Row[]) => void,
  ) {
    this.#client = client
    let known = describedBy.get(client)
    if (known === undefined) describedBy.set(client, (known = new Map()))
    this.#known = known
    this.#name = statement.name
    this.#text = statement.text
    this.#values = statement.values.map((value) => prepareValue(value) ?? null)
    this.#withBegin = withBegin
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    const known = this.#known
    this.#columns = known.get(this.#name)
    const head: Buffer[] = []
    if (this.#withBegin) {
      if (!known.has(begin.name)) head.push(parse(begin.name, begin.text))
      head.push(bind(begin.name, [], executeOnly))
    }
    if (this.#columns === undefined) head.push(parse(this.#name, this.#text), describe(this.#name))
    const last = bind(this.#name, this.#values, executeAndSync)
    if (connection.stream.writable) connection.stream.write(head.length === 0 ? last : Buffer.concat([...head, last]))
  }

  handleRowDescription(message: { fields: Field[] }): void {
    this.#columns = new Columns(message.fields, this.#client)
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    if (this.#misread !== undefined) return
    try {
      this.#rows.push((this.#columns as Columns).read(message.fields))
    } catch (error) {
      this.#misread = error
    }
  }

  handleReadyForQuery(): void {
    if (!this.#known.has(this.#name)) this.#known.set(this.#name, this.#columns ?? noColumns)
    if (this.#withBegin) this.#known.set(begin.name, noColumns)
    if (this.#misread === undefined) this.callback(null, this.#rows)
    else this.callback(this.#misread)
  }

  handleError(error: Error & { code?: string }): void {
    if (stale.has(error.code ?? '')) this.#known.delete(this.#name)
    this.callback(this.#misread ?? error)
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('No source stream defined')
  }
}

class Columns {
  readonly #names: string[]
  readonly #parsers: ((text: string) => unknown)[]
  readonly #empty: Row

  constructor(fields: readonly Field[], client: pg.ClientBase) {
    this.#names = fields.map((field) => field.name)
    this.#parsers = fields.map((field) => client.getTypeParser(field.dataTypeID, 'text'))
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]))
  }

  read(texts: readonly (string | null)[]): Row {
    const row = { ...this.#empty }
    const names = this.#names
    const parsers = this.#parsers
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as string | null
      row[names[index] as string] = text === null ? null : (parsers[index] as (text: string) => unknown)(text)
    }
    return row
  }
}

const noColumns = new Columns([], undefined as unknown as pg.ClientBase)

const executeOnly = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/** With a Close before it, which is no error when there is no such statement. */
function parse(name: string, text: string): Buffer {
  return Buffer.concat([message('C', `S${name}\0`), message('P', `${name}\0${text}\0\0\0`)])
}

function describe(name: string): Buffer {
  return message('D', `S${name}\0`)
}

function message(code: string, body: string): Buffer {
  const bytes = Buffer.from(`${code}....${body}`)
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

function bind(name: string, values: readonly Prepared[], tail: Buffer): Buffer {
  const count = values.length
  const sizes: number[] = []
  let length = 4 + 1 + name.length + 1 + 2 + 2 * count + 2 + 4 * count + 2
  for (let index = 0; index < count; index += 1) {
    const value = values[index]
    const size = value === null ? 0 : Buffer.byteLength(value as string | Buffer)
    sizes.push(size)
    length += size
  }
  const bytes = Buffer.allocUnsafe(1 + length + tail.length)
  bytes[0] = 0x42
  let at = bytes.writeInt32BE(length, 1)
  bytes[at++] = 0
  at += bytes.latin1Write(name, at)
  bytes[at++] = 0
  at = bytes.writeInt16BE(count, at)
  for (let index = 0; index < count; index += 1) {
    bytes[at++] = 0
    bytes[at++] = values[index] instanceof Buffer ? 1 : 0
  }
  at = bytes.writeInt16BE(count, at)
  for (let index = 0; index < count; index += 1) {
    const value = values[index] as Prepared
    const size = sizes[index] as number
    at = bytes.writeInt32BE(value === null ? -1 : size, at)
    if (typeof value === 'string') bytes.utf8Write(value, at)
    else if (value !== null) value.copy(bytes, at)
    at += size
  }
  at = bytes.writeInt16BE(0, at)
  tail.copy(bytes, at)
  return bytes
}
