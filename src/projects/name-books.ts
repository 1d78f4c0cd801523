import type { Database } from '../database/database.ts'
import { listChanges } from './change-store.ts'
import { NameBook } from './name-book.ts'
import { readNames, type Counted } from './list-store.ts'
import type { SortBy } from './shelf-store.ts'

// The names of long lists, read into memory behind the back of whoever opens one first: PostgreSQL counts until they are
// there. Other servers change the lists too, so a book is trusted for its own version only.

export type NameBooks = {
  /** Undefined while the names are not in memory. A book before version `atLeast` catches up first. */
  count(list: List, search: string, atLeast: bigint): Promise<Counted | undefined>
  /** The names that match on some of the shelves that were counted, a line each, if they are still in memory. */
  matches(list: List, search: string, counted: Counted): string | undefined
  /** Begins to read a list of so many projects, if it is long enough to be worth it and not there yet. */
  wish(list: List, live: number): void
  /** When all that was begun is read. */
  idle(): Promise<void>
}

export type List = { readonly merchantId: number; readonly sortBy: SortBy }

export type NameBooksOptions = {
  /** Below this PostgreSQL counts in about two milliseconds. */
  readonly projectsMin?: number
  /** Of all books together: at most two bytes each. */
  readonly charactersMax?: number
  readonly changesMax?: number
  readonly now?: () => number
  readonly log?: { warn(details: object, message: string): void } | undefined
}

const projectsMinDefault = 5_000
const charactersMaxDefault = 32_000_000
// The last sheet has then twice the names of the others, and a page on it is found half as fast.
const changesMaxDefault = 1_000
/** Before a list that was too long, or could not be read, is tried again. */
const pauseMs = 60_000

export function makeNameBooks(db: Database, options: NameBooksOptions = {}): NameBooks {
  const charactersMax = options.charactersMax ?? charactersMaxDefault
  const changesMax = options.changesMax ?? changesMaxDefault
  const now = options.now ?? Date.now
  /** Least recently used first. */
  const books = new Map<string, NameBook>()
  const wished = new Set<string>()
  const notBefore = new Map<string, number>()
  let reading: Promise<void> = Promise.resolve()

  function begin(list: List): void {
    const name = nameOf(list)
    if (wished.has(name) || now() < (notBefore.get(name) ?? 0)) return
    wished.add(name)
    notBefore.set(name, now() + pauseMs)
    reading = read(list, name, reading)
  }

  /** One after the other: the pool is for those who wait. */
  async function read(list: List, name: string, turn: Promise<void>): Promise<void> {
    await turn
    try {
      const names = await readNames(db, list.merchantId, list.sortBy, charactersMax)
      if (!names) return
      keep(name, new NameBook(list.sortBy, names))
      notBefore.delete(name)
    } catch (error) {
      options.log?.warn({ err: error }, 'The names of a list of projects were not read')
    } finally {
      wished.delete(name)
    }
  }

  function keep(name: string, book: NameBook): void {
    books.delete(name)
    books.set(name, book)
    let characters = books.values().reduce((sum, each) => sum + each.characters, 0)
    for (const [oldest, each] of books) {
      if (characters <= charactersMax) return
      books.delete(oldest)
      characters -= each.characters
    }
  }

  return {
    async count(list, search, atLeast) {
      const name = nameOf(list)
      const book = books.get(name)
      if (!book) return undefined
      if (book.version < atLeast && !(await catchUp(db, list.merchantId, book))) {
        if (books.get(name) === book) books.delete(name)
        return undefined
      }
      if (books.get(name) === book) keep(name, book)
      if (book.changes > changesMax) begin(list)
      return book.count(search)
    },
    matches(list, search, { version, shelves }) {
      const book = books.get(nameOf(list))
      return book?.version === version ? book.matches(search, shelves) : undefined
    },
    wish(list, live) {
      if (live >= (options.projectsMin ?? projectsMinDefault) && !books.has(nameOf(list))) begin(list)
    },
    idle: () => reading,
  }
}

/** False when changes are missing, so that the book is of no more use. */
async function catchUp(db: Database, merchantId: number, book: NameBook): Promise<boolean> {
  const { version, changes } = await listChanges(db, merchantId, book.version)
  book.apply(changes)
  return book.version >= version
}

function nameOf({ merchantId, sortBy }: List): string {
  return `${merchantId} ${sortBy}`
}
