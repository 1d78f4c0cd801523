import type { ProjectPage } from './list-store.ts'
import type { ListRequest } from './read-list-request.ts'
import type { ProjectRow } from './store.ts'

// The public JSON of projects.

export type ProjectItem = { id: string; project: string; created_at: string; updated_at: string }

export function projectItem(row: ProjectRow): ProjectItem {
  return { id: row.id, project: row.name, created_at: row.created_at, updated_at: row.updated_at }
}

/** `links` and `meta` of a list. `path` is the address without its query, `query` as it was sent. */
export function listFrame(
  path: string,
  query: string,
  { page, perPage }: ListRequest,
  { projects, total }: ProjectPage,
): object {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const from = projects.length === 0 ? null : (page - 1) * perPage + 1
  const link = (number: number): string => {
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(number))
    return `${path}?${parameters.toString()}`
  }
  return {
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      to: from === null ? null : from + projects.length - 1,
      last_page: lastPage,
      per_page: perPage,
      total,
      path,
    },
  }
}
