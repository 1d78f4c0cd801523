export type Page<T, Meta = unknown> = {
  readonly data: readonly T[]
  /** What Florin says about the whole list, such as `totals`. */
  readonly meta: Meta
  /** Undefined on the last page. */
  readonly nextCursor: string | undefined
}

/** A list of any length. Loop over it with `for await`; pages are fetched as you go. */
export class List<T, Meta = unknown> implements AsyncIterable<T> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<T, Meta>>

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<T, Meta>>) {
    this.#fetchPage = fetchPage
  }

  /** One page: the first, or the one after a cursor. */
  async page(cursor?: string): Promise<Page<T, Meta>> {
    return this.#fetchPage(cursor)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let cursor: string | undefined
    do {
      const page: Page<T, Meta> = await this.#fetchPage(cursor)
      yield* page.data
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  /** At most `limit` items. */
  async toArray(limit: number): Promise<T[]> {
    const items: T[] = []
    for await (const item of this) {
      if (items.length === limit) break
      items.push(item)
    }
    return items
  }
}
