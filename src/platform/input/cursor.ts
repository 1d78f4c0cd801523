import { isTime, type Fields, type Query } from './fields.ts'

// Lists that are paged by the last row seen: its time and its name, so that rows of one moment stay in order.

export const pageLimit = { default: 25, max: 100 } as const

/** Where a page ends. `nextCursor` is null on the last one. */
export type PageEnd = { readonly limit: number; readonly nextCursor: string | null }

export type CursorPosition = { readonly at: string; readonly name: string }

export function createdPlace({
  created_at: at,
  id: name,
}: {
  readonly created_at: string
  readonly id: string
}): CursorPosition {
  return { at, name }
}

export function readLimit(fields: Fields): number {
  const value = fields.value('limit')
  if (value === undefined) return pageLimit.default
  const number = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > pageLimit.max)
    fields.fail('limit', `must be a whole number from 1 to ${pageLimit.max}`)
  return number
}

/** The rows after this place, in the order of the list; so many at most. */
export type ListPart = { readonly after: CursorPosition | undefined; readonly limit: number }

type PageOptions<Row> = {
  /** The pattern of this list's ids. */
  readonly names: RegExp
  readonly positionOf: (row: Row) => CursorPosition
  /** For lists whose pages have one length. Others take `limit` from the fields. */
  readonly limit?: number
}

/** The page that the fields ask for. They are checked here, so all others must have been read. */
export async function readPage<Row>(
  fields: Query,
  { names, positionOf, limit = readLimit(fields) }: PageOptions<Row>,
  list: (part: ListPart) => Promise<readonly Row[]>,
): Promise<PageEnd & { readonly rows: Row[] }> {
  const after = readCursor(fields, names)
  fields.checkAll()
  // One more than is shown: it tells whether there is another page.
  return cutPage(await list({ after, limit: limit + 1 }), limit, positionOf)
}

/** All pages of a list, for files. */
export async function* readPages<Row>(
  limit: number,
  positionOf: (row: Row) => CursorPosition,
  list: (part: ListPart) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined
  do {
    const rows = await list({ after: last && positionOf(last), limit })
    yield rows
    last = rows.length === limit ? rows.at(-1) : undefined
  } while (last)
}

/** From `limit + 1` rows in list order, those on this page, and the cursor of the next. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => CursorPosition,
): PageEnd & { readonly rows: Row[] } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, limit, nextCursor: last === undefined ? null : makeCursor(positionOf(last)) }
}

export function makeCursor({ at, name }: CursorPosition): string {
  return Buffer.from(`${at} ${name}`).toString('base64url')
}

const cursorShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([\w.:/+=-]+)$/

/** `names`: what the names of this list look like. */
export function readCursor(fields: Fields, names: RegExp): CursorPosition | undefined {
  const value = fields.value('cursor')
  if (value === undefined) return undefined
  const [, at, name] =
    (typeof value === 'string' && cursorShape.exec(Buffer.from(value, 'base64url').toString())) || []
  if (at === undefined || name === undefined || !isTime(at) || !names.test(name))
    return fields.fail('cursor', 'must be the next_cursor of an earlier page')
  return { at, name }
}
