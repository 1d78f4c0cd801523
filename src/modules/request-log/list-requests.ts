import type { Database } from '../../platform/database/database.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import {
  findRequestById,
  findRequests,
  findWindowEnd,
  type Edge,
  type LineFilter,
  type LoggedMode,
  type NewRequest,
  type RequestLine,
} from './request-store.ts'

export type { RequestLine }
export type LoggedRequest = NewRequest

export const outcomes = ['', 'success', 'refused', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export type RequestFilter = {
  readonly outcome: Outcome
  readonly method: string
  readonly keyId: string
  readonly path: string
}

export type RequestPage = {
  readonly lines: readonly RequestLine[]
  /** From where older ones are looked for. */
  readonly next: Edge | undefined
}

const perPage = 50
/**
 * Whatever is looked for, a page reads no more rows than these: one that nothing fits is as quick as any other, and says
 * that older ones were not looked at.
 */
const windowRows = 5_000
const newest: Edge = { at: 'infinity', name: '' }
const statuses: Readonly<Record<Outcome, readonly [number, number]>> = {
  '': [0, 999],
  success: [0, 399],
  refused: [400, 499],
  failed: [500, 999],
}

/** Newest first. Requests of keys without a mode are in the list of both. */
export async function listRequests(
  db: Database,
  { merchantId, mode }: { readonly merchantId: number; readonly mode: Mode },
  filter: RequestFilter,
  before: Edge = newest,
  { window = windowRows, size = perPage } = {},
): Promise<RequestPage> {
  const wanted = wantedOf(filter)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const readOne = async (one: LoggedMode) => {
    const scope = { merchantId, mode: one }
    const limit = size + 1
    const lines = await findRequests(db, scope, wanted, before, {
      window: isFiltered ? window : limit,
      limit,
    })
    // No test: saves a statement: nothing past a full page is shown
    const isWhole = !isFiltered || lines.length > size
    const end = isWhole ? undefined : await findWindowEnd(db, scope, before, window)
    return { lines, end }
  }
  const read = [await readOne(mode), await readOne('none')]
  // Behind the end of one window there may be rows that come before rows of the other.
  const horizon = read.flatMap(({ end }) => (end ? [end] : [])).toSorted(newestFirst)[0]
  const lines = read
    .flatMap((one) => one.lines)
    .toSorted((one, other) => newestFirst(edgeOf(one), edgeOf(other)))
    .filter((line) => horizon === undefined || newestFirst(edgeOf(line), horizon) <= 0)
  const shown = lines.slice(0, size)
  const last = shown.at(-1)
  return { lines: shown, next: lines.length > size && last ? edgeOf(last) : horizon }
}

/** Undefined when there is none of this merchant and mode, or no longer. */
export async function findRequest(
  db: Database,
  { merchantId, mode }: { readonly merchantId: number; readonly mode: Mode },
  requestId: string,
): Promise<LoggedRequest | undefined> {
  return findRequestById(db, merchantId, mode, requestId)
}

function wantedOf({ outcome, method, keyId, path }: RequestFilter): LineFilter {
  const [statusMin, statusMax] = statuses[outcome]
  return { statusMin, statusMax, method: method || null, keyId: keyId || null, path: path || null }
}

function edgeOf({ at, id }: RequestLine): Edge {
  return { at, name: id }
}

/** Times of one form compare as text. */
function newestFirst(one: Edge, other: Edge): number {
  return compare(other.at, one.at) || compare(other.name, one.name)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
