import { askApi } from './call-api.ts'
import type { KeyedApi } from './secret-key.ts'

const pageMax = 100

/** A list of the API, page by page, up to `limit`. */
export async function readPages<Item>(
  api: KeyedApi,
  path: string,
  query: URLSearchParams,
  limit: number,
): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    query.set('limit', String(Math.min(pageMax, limit - found.length)))
    const answer = await askApi(api, `${path}?${query.toString()}`)
    found.push(...(answer.data as Item[]))
    const { next_cursor: next } = answer.meta as { next_cursor: string | null }
    if (next === null || found.length >= limit) return found
    query.set('cursor', next)
  }
}
