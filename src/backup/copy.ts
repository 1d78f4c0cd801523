import type pg from 'pg'

// COPY over an ordinary connection of pg, in the text format, which every version of PostgreSQL reads. Nothing is
// gathered: a reader that is slow stops the sender.

type Wire = pg.Connection & {
  readonly stream: NodeJS.ReadWriteStream
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

const handedOnBytes = 65_536 // No test: how much at once is no promise

/** How many rows a statement moved, by PostgreSQL's own word: "COPY 12". */
function rowsIn(answer: string): number {
  return Number(/^COPY (\d+)$/.exec(answer)?.[1] ?? Number.NaN)
}

abstract class Copy {
  readonly done = Promise.withResolvers<number>()
  readonly #text: string
  #rows = 0

  constructor(text: string) {
    this.#text = text
    // Whoever is busy sending learns of it when he asks; until then it is not unhandled.
    this.done.promise.catch(() => {})
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = rowsIn(text)
  }
  handleReadyForQuery(): void {
    this.done.resolve(this.#rows)
  }
  handleError(error: Error): void {
    this.done.reject(error)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(_wire: Wire): void {}
  handleCopyData(_message: { readonly chunk: Buffer }, _wire: Wire): void {}
}

class CopyOut extends Copy {
  #handed: Promise<void> = Promise.resolve()
  readonly #take: (rows: Buffer, count: number) => Promise<void>
  #parts: Buffer[] = []
  #bytes = 0
  #waiting = 0

  constructor(text: string, take: (rows: Buffer, count: number) => Promise<void>) {
    super(text)
    this.#take = take
  }

  /** One row each. Copied, as pg goes on to use the memory. */
  override handleCopyData({ chunk }: { readonly chunk: Buffer }, wire: Wire): void {
    this.#parts.push(Buffer.from(chunk))
    this.#bytes += chunk.length
    const isMuch = this.#bytes >= handedOnBytes // No test: a byte more or less
    if (isMuch) this.#handOn(wire)
  }

  /** What is left at the end. */
  async handOver(): Promise<void> {
    await this.#handed
    await this.#take(Buffer.concat(this.#parts), this.#parts.length)
  }

  #handOn(wire: Wire): void {
    const rows = Buffer.concat(this.#parts)
    const count = this.#parts.length
    this.#parts = []
    this.#bytes = 0
    this.#waiting += 1
    wire.stream.pause()
    this.#handed = this.#takeAfter(this.#handed, rows, count, wire)
    // A reader that fails ends the copy: nothing else would read on.
    this.#handed.catch((error: unknown) => this.done.reject(error))
  }

  async #takeAfter(before: Promise<void>, rows: Buffer, count: number, wire: Wire): Promise<void> {
    await before
    await this.#take(rows, count)
    this.#waiting -= 1
    if (this.#waiting === 0) wire.stream.resume()
  }
}

/** `take` gets whole rows, each with its line end, and how many. Returns how many there were. */
export async function copyOut(
  client: pg.Client,
  text: string,
  take: (rows: Buffer, count: number) => Promise<void>,
): Promise<number> {
  const copy = new CopyOut(text, take)
  client.query(copy)
  const rows = await copy.done.promise
  await copy.handOver()
  return rows
}

class CopyIn extends Copy {
  readonly ready = Promise.withResolvers<Wire>()

  override handleCopyInResponse(wire: Wire): void {
    this.ready.resolve(wire)
  }
  override handleError(error: Error): void {
    this.ready.reject(error)
    super.handleError(error)
  }
}

/** Sends rows for as long as `next` gives any. Returns how many were written. */
export async function copyIn(
  client: pg.Client,
  text: string,
  next: () => Promise<Buffer | undefined>,
): Promise<number> {
  const copy = new CopyIn(text)
  copy.ready.promise.catch(() => {})
  client.query(copy)
  const wire = await copy.ready.promise
  for (let rows = await next(); rows !== undefined; rows = await next()) {
    wire.sendCopyFromChunk(rows)
    await Promise.race([drained(wire), copy.done.promise])
  }
  wire.endCopyFrom()
  return copy.done.promise
}

async function drained({ stream }: Wire): Promise<void> {
  if (!(stream as NodeJS.WritableStream & { writableNeedDrain: boolean }).writableNeedDrain) return
  await new Promise<void>((resolve) => stream.once('drain', () => resolve()))
}
