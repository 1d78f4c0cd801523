import type { Database } from '../database/database.ts'
import { foldName } from './names.ts'
import { makeNameBooks, type List, type NameBooks } from './name-books.ts'
import type { ListRequest } from './read-list-request.ts'
import { countShelves, findMatches, readProjects, readStretch } from './list-store.ts'
import type { Counted, Page } from './list-store.ts'
import type { Shelf } from './shelf-store.ts'
import type { ProjectRow } from './store.ts'

// A page of the list. What is expensive to find out, how many projects a search meets and on which shelves, is
// remembered with the version of the list that it was true of. Every page is read together with the version, in one
// statement: when it is another, what was remembered is found out again.

export type ProjectPage = { readonly projects: readonly ProjectRow[]; readonly total: number }
export type ListProjects = (merchantId: number, request: ListRequest) => Promise<ProjectPage>

type Survey = { readonly version: bigint; readonly total: number } & (
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'shelves'; readonly shelves: readonly Shelf[] }
)

export type ListOptions = {
  /** Up to here PostgreSQL gives the ids of what it finds, beyond a count for each shelf. */
  readonly idsMax?: number
  /** With up to so many matches a shelf a page is read by their names, beyond by searching the shelves. */
  readonly namesPerShelf?: number
  readonly books?: NameBooks
}

const idsMaxDefault = 1_000
const namesPerShelfDefault = 50
const rememberedMax = 200
// A list that changes faster than it is read: the page is as good as its last statement.
const triesMax = 3

export function makeListProjects(db: Database, options: ListOptions = {}): ListProjects {
  const idsMax = options.idsMax ?? idsMaxDefault
  const namesPerShelf = options.namesPerShelf ?? namesPerShelfDefault
  const books = options.books ?? makeNameBooks(db)
  const remembered = new Map<string, Survey>()

  function remember(name: string, survey: Survey): void {
    remembered.delete(name)
    remembered.set(name, survey)
    const oldest = remembered.keys().next().value
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
  }

  return async (merchantId, request) => {
    const search = request.search === undefined ? undefined : foldName(request.search)
    const list = { merchantId, sortBy: request.sortBy }
    const name = JSON.stringify([merchantId, request.sortBy, search])
    let survey = remembered.get(name)
    let atLeast = 0n
    for (let tries = 1; ; tries += 1) {
      survey ??= await makeSurvey({ db, books, idsMax }, list, search, atLeast)
      const page = await readPage({ db, books, namesPerShelf }, merchantId, request, search, survey)
      if (page.version === survey.version || tries === triesMax) {
        remember(name, survey)
        return { projects: page.projects, total: survey.total }
      }
      survey = undefined
      atLeast = page.version
    }
  }
}

async function makeSurvey(
  { db, books, idsMax }: { db: Database; books: NameBooks; idsMax: number },
  list: List,
  search: string | undefined,
  atLeast: bigint,
): Promise<Survey> {
  const { merchantId, sortBy } = list
  if (search === undefined) {
    const all = byShelves(await countShelves(db, merchantId, sortBy, undefined))
    // Who opens a list may search it next.
    books.wish(list, all.total)
    return all
  }
  const found = await books.count(list, search, atLeast)
  if (found) return byShelves(found)
  const pattern = containing(search)
  const { version, live, ids } = await findMatches(db, merchantId, sortBy, pattern, idsMax + 1)
  books.wish(list, live)
  if (ids.length <= idsMax) return { kind: 'ids', version, ids, total: ids.length }
  return byShelves(await countShelves(db, merchantId, sortBy, pattern))
}

function byShelves({ version, shelves }: Counted): Survey {
  return { kind: 'shelves', version, shelves, total: shelves.reduce((sum, shelf) => sum + shelf.count, 0) }
}

async function readPage(
  { db, books, namesPerShelf }: { db: Database; books: NameBooks; namesPerShelf: number },
  merchantId: number,
  request: ListRequest,
  search: string | undefined,
  survey: Survey,
): Promise<Page> {
  const { sortBy, sort, perPage } = request
  const offset = (request.page - 1) * perPage
  if (survey.kind === 'ids') {
    const ids = sort === 'asc' ? survey.ids : survey.ids.toReversed()
    return readProjects(db, merchantId, ids.slice(offset, offset + perPage))
  }
  const limit = Math.max(0, Math.min(perPage, survey.total - offset))
  const direction = sort === 'asc' ? 'up' : 'down'
  const { begin, before, shelves } = findStretch(survey.shelves, sort, limit === 0 ? 0 : offset, limit)
  const stretch = { sortBy, direction, begin, offset: before, limit } as const
  if (search === undefined) return readStretch(db, merchantId, stretch)
  // Among 100,000 a page of 100 that 1 in 80 are on is 8,000 projects to search, or 100 names to find in an index.
  const few = shelves.reduce((sum, { count }) => sum + count, 0) <= shelves.length * namesPerShelf
  const named = few ? books.matches({ merchantId, sortBy }, search, { ...survey, shelves }) : undefined
  if (named === undefined) return readStretch(db, merchantId, { ...stretch, like: containing(search) })
  return readStretch(db, merchantId, { ...stretch, named, begin: undefined })
}

type PageShelves = {
  /** Where the first of these shelves begins, in the direction of reading. Undefined for the end of the list. */
  readonly begin: Shelf['start'] | undefined
  /** How many come before the page there. */
  readonly before: number
  /** Those with something for the page on them. */
  readonly shelves: readonly Shelf[]
}

function findStretch(
  shelves: readonly Shelf[],
  sort: 'asc' | 'desc',
  offset: number,
  limit: number,
): PageShelves {
  const inOrder = sort === 'asc' ? shelves : shelves.toReversed()
  let before = offset
  let at = 0
  for (const shelf of inOrder) {
    if (before < shelf.count) break
    before -= shelf.count
    at += 1
  }
  let missing = before + limit
  let end = at
  for (; missing > 0 && end < inOrder.length; end += 1) missing -= inOrder[end]?.count ?? 0
  // Downwards one begins at the end of a shelf, which is where the one above it begins.
  const begin = sort === 'asc' ? inOrder[at] : inOrder[at - 1]
  return { begin: begin?.start, before, shelves: inOrder.slice(at, end).filter(({ count }) => count > 0) }
}

/** A LIKE pattern in which the text's own %, _ and \ are plain characters. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
