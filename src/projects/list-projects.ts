import type { Database } from '../database/database.ts'
import { foldName } from './names.ts'
import type { ListRequest } from './read-list-request.ts'
import { countShelves, findMatches, readProjects, readStretch } from './shelf-store.ts'
import type { Page, Shelf } from './shelf-store.ts'
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

// Up to here a search is remembered as its ids, beyond as a count for each shelf.
const idsMaxDefault = 1_000
const rememberedMax = 200
// A list that changes faster than it is read: the page is as good as its last statement.
const triesMax = 3

export function makeListProjects(db: Database, idsMax: number = idsMaxDefault): ListProjects {
  const remembered = new Map<string, Survey>()

  function remember(name: string, survey: Survey): void {
    remembered.delete(name)
    remembered.set(name, survey)
    const oldest = remembered.keys().next().value
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
  }

  return async (merchantId, request) => {
    const search = request.search === undefined ? undefined : foldName(request.search)
    const name = JSON.stringify([merchantId, request.sortBy, search])
    const pattern = search === undefined ? undefined : containing(search)
    let survey = remembered.get(name)
    for (let tries = 1; ; tries += 1) {
      survey ??= await makeSurvey(db, merchantId, request, pattern, idsMax)
      const page = await readPage(db, merchantId, request, pattern, survey)
      if (page.version === survey.version || tries === triesMax) {
        remember(name, survey)
        return { projects: page.projects, total: survey.total }
      }
      survey = undefined
    }
  }
}

async function makeSurvey(
  db: Database,
  merchantId: number,
  { sortBy }: ListRequest,
  pattern: string | undefined,
  idsMax: number,
): Promise<Survey> {
  if (pattern !== undefined) {
    const { version, ids } = await findMatches(db, merchantId, sortBy, pattern, idsMax + 1)
    if (ids.length <= idsMax) return { kind: 'ids', version, ids, total: ids.length }
  }
  const { version, shelves } = await countShelves(db, merchantId, sortBy, pattern)
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
  const start = findStart(survey.shelves, sort, limit === 0 ? 0 : offset)
  const direction = sort === 'asc' ? 'up' : 'down'
  return readStretch(db, merchantId, { sortBy, direction, pattern, limit, ...start })
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
