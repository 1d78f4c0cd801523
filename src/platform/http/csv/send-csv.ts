import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../errors/refusals.ts'
import { csvLine, type Cell, type CsvStyle } from './csv-line.ts'

// A list of any length as a file, page by page: only one page is in memory, however long the list and however slow the
// client. No statement or database connection is held between two pages.

const csvType = 'text/csv; charset=utf-8; header=present'

export type Csv = {
  /** `transactions.csv` */
  readonly filename: string
  readonly header: readonly string[]
  /** Read as fast as the client takes them; no further page is read once it has disconnected. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>
  /** Undefined: with commas, times in UTC. */
  readonly style?: CsvStyle
}

/** A file that is already written, in chunks, in its own format. */
export type WrittenFile = {
  readonly filename: string
  readonly type: string
  readonly pieces: AsyncIterable<Buffer>
}

export type SendCsv = (reply: FastifyReply, whose: number, file: Csv | WrittenFile) => Promise<FastifyReply>

const retryAfterSeconds = 5

/** An export reads the whole list: `atOnceMax` per merchant at a time on this server, further ones must wait. */
export function makeSendCsv(atOnceMax: number): SendCsv {
  const running = new Map<number, number>()

  function begin(whose: number): () => void {
    const count = running.get(whose) ?? 0
    if (count >= atOnceMax) {
      throw new Refusal(
        'rate_limited',
        `${atOnceMax} exports are already running, try again when one has finished`,
        {
          headers: { 'retry-after': String(retryAfterSeconds) },
        },
      )
    }
    running.set(whose, count + 1)
    return () => {
      const left = (running.get(whose) ?? 1) - 1
      if (left > 0) running.set(whose, left) // No test: saves memory: no entry means no export is running
      else running.delete(whose)
    }
  }

  return async (reply, whose, file) => {
    const end = begin(whose)
    const [type, head, pieces] =
      'pieces' in file
        ? ([file.type, '', file.pieces] as const)
        : ([csvType, headOf(file), inText(file)] as const)
    const iterator: AsyncIterator<string | Buffer> = pieces[Symbol.asyncIterator]()
    try {
      // Before the head is sent: a database that is away is a 503, and not half a file.
      const first = reply.request.method === 'HEAD' ? undefined : await iterator.next()
      // No test: decides how much is buffered, not what is sent
      const body = Readable.from(write(head, first, iterator), { objectMode: false })
      body.once('close', end)
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="${file.filename}"`)
        .send(body)
    } catch (error) {
      end()
      throw error
    }
  }
}

/** With semicolons, a spreadsheet opens the file by a double click, and needs the mark to read UTF-8. */
function headOf({ header, style }: Csv): string {
  return `${style?.separator === ';' ? '\uFEFF' : ''}${csvLine(header, style)}`
}

async function* inText({ pages, style }: Csv): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((cells) => csvLine(cells, style)).join('')
}

async function* write(
  head: string,
  first: IteratorResult<string | Buffer> | undefined,
  rest: AsyncIterator<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  try {
    yield head
    for (let piece = first; piece && piece.done !== true; piece = await rest.next()) yield piece.value
  } finally {
    await rest.return?.()
  }
}
