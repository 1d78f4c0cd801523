import type { Database } from '../database/database.ts'
import { foldName } from './names.ts'
import { makeNameBooks, type List, type NameBooks } from './name-books.ts'
import type { ListRequest } from './read-list-request.ts'
import { countShelves, findMatches, readProjects, readStretch } from './shelf-store.ts'
import type { Counted, Page, Shelf } from './shelf-store.ts'
import type { ProjectRow } from './store.ts'

// A page of the list. What is expensive to find out, how many projects a search meets and on which shelves, is
// remembered with the version of the list that it was true of. Every page is read together with the version, in one
// statement: when it is another, what was remembered is found out again.

export type ProjectPage = { readonly projects: readonly ProjectRow[]; readonly total: number }
export type ListProjects = (merchantId: number, request: ListRequest) => Promise<ProjectPage>

type Survey = { readonly version: bigint; readonly total: number } & (
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'names'; readonly names: string }
  | { readonly kind: 'shelves'; readonly shelves: readonly Shelf[] }
)

export type ListOptions = {
  /** Up to here a search is remembered as its ids or names, beyond as a count for each shelf. */
  readonly fewMax?: number
  readonly books?: NameBooks
}

const fewMaxDefault = 1_000
const rememberedMax = 200
// A list that changes faster than it is read: the page is as good as its last statement.
const triesMax = 3

export function makeListProjects(db: Database, options: ListOptions = {}): ListProjects {
  const fewMax = options.fewMax ?? fewMaxDefault
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
    const pattern = search === undefined ? undefined : containing(search)
    let survey = remembered.get(name)
    let atLeast = 0n
    for (let tries = 1; ; tries += 1) {
      survey ??= await makeSurvey({ db, books, fewMax }, list, search, atLeast)
      const page = await readPage(db, merchantId, request, pattern, survey)
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
  { db, books, fewMax }: { db: Database; books: NameBooks; fewMax: number },
  list: List,
  search: string | undefined,
  atLeast: bigint,
): Promise<Survey> {
  const { merchantId, sortBy } = list
  if (search === undefined) return byShelves(await countShelves(db, merchantId, sortBy, undefined))
  const found = await books.find(list, search, fewMax, atLeast)
  if (found?.names !== undefined) {
    return { kind: 'names', version: found.version, total: found.total, names: found.names }
  }
  if (found) return byShelves(found)
  const pattern = containing(search)
  const { version, live, ids } = await findMatches(db, merchantId, sortBy, pattern, fewMax + 1)
  books.wish(list, live)
  if (ids.length <= fewMax) return { kind: 'ids', version, ids, total: ids.length }
  return byShelves(await countShelves(db, merchantId, sortBy, pattern))
}

function byShelves({ version, shelves }: Counted): Survey {
  return { kind: 'shelves', version, shelves, total: shelves.reduce((sum, shelf) => sum + shelf.count, 0) }
}

async function readPage(
  db: Database,
  merchantId: number,
  request: ListRequest,
  pattern: string | undefined,
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
  if (survey.kind === 'names') {
    const which = { named: survey.names }
    return readStretch(db, merchantId, { sortBy, direction, which, limit, offset, begin: undefined })
  }
  const start = findStart(survey.shelves, sort, limit === 0 ? 0 : offset)
  return readStretch(db, merchantId, { sortBy, direction, which: { like: pattern }, limit, ...start })
}

/** The shelf on which the project at `offset` stands, and how many come before it there. */
function findStart(
  shelves: readonly Shelf[],
  sort: 'asc' | 'desc',
  offset: number,
): { begin: Shelf['start'] | undefined; offset: number } {
  const inOrder = sort === 'asc' ? shelves : shelves.toReversed()
  let rest = offset
  let at = 0
  for (const shelf of inOrder) {
    if (rest < shelf.count) break
    rest -= shelf.count
    at += 1
  }
  // Downwards one begins at the end of a shelf, which is where the one above it begins.
  const begin = sort === 'asc' ? inOrder[at] : inOrder[at - 1]
  return { begin: begin?.start, offset: rest }
}

/** A LIKE pattern in which the text's own %, _ and \ are plain characters. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
