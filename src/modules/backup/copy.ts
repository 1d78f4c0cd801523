import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

// COPY in the text format, which every version of PostgreSQL reads. Nothing is gathered: a reader that is slow stops
// the sender.

const handedOnBytes = 65_536 // No test: how much at once is no promise
const lineEnd = 10

/** `take` gets the rows piece by piece, and how many ended in each. Returns how many there were. */
export async function copyOut(
  client: pg.Client,
  text: string,
  take: (rows: Buffer, count: number) => Promise<void>,
): Promise<number> {
  const copy = client.query(copyTo(text, { highWaterMark: handedOnBytes }))
  for await (const rows of copy as AsyncIterable<Buffer>) await take(rows, countLines(rows))
  return copy.rowCount
}

/** A line break inside a value is written as \n, so each real one ends a row. */
function countLines(rows: Buffer): number {
  let count = 0
  for (let at = rows.indexOf(lineEnd); at !== -1; at = rows.indexOf(lineEnd, at + 1)) count += 1
  return count
}

/** Sends rows for as long as `next` gives any. Returns how many were written. */
export async function copyIn(
  client: pg.Client,
  text: string,
  next: () => Promise<Buffer | undefined>,
): Promise<number> {
  const copy = client.query(copyFrom(text))
  await pipeline(Readable.from(untilEmpty(next)), copy)
  return copy.rowCount
}

async function* untilEmpty(next: () => Promise<Buffer | undefined>): AsyncGenerator<Buffer> {
  for (let rows = await next(); rows !== undefined; rows = await next()) yield rows
}
