import type { Queryable } from '../../platform/database/database.ts'
import { readPage, searchPage, type ProjectPage } from './list-store.ts'
import { foldName } from './names.ts'
import type { ListRequest } from './read-list-request.ts'

export async function listProjects(
  db: Queryable,
  merchantId: number,
  { search, ...page }: ListRequest,
): Promise<ProjectPage> {
  if (search === undefined) return readPage(db, merchantId, page)
  return searchPage(db, merchantId, containing(foldName(search)), page)
}

/** A LIKE pattern in which the text's own %, _ and \ are plain characters. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
