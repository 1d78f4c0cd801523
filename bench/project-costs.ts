import pg from 'pg'
import { Database, inTransaction } from '../src/database/database.ts'
import { makeListProjects } from '../src/projects/list-projects.ts'
import { makeNameBooks } from '../src/projects/name-books.ts'
import type { ListRequest } from '../src/projects/read-list-request.ts'
import { renameProject } from '../src/projects/rename-project.ts'
import { rebuildShelves } from '../src/projects/shelf-store.ts'
import { claimList } from '../src/projects/store.ts'
import { summarise } from './measure.ts'

// What a page of projects costs in a short and in a long list, measured below HTTP, where a difference is not hidden by
// what every request costs.

export type Case = { readonly name: string; readonly at: (total: number) => Partial<ListRequest> }
export type Sized = { readonly merchantId: number; readonly projects: number }

/**
 * Milliseconds. first: nothing is remembered of this request. again: it was asked before, and the list has not changed.
 * changed: it was asked before, and a project was renamed since. cold: nothing at all is in memory.
 */
export type Cost = Readonly<Record<Kind, number>>
export const judged = ['first', 'again', 'changed'] as const
type Kind = (typeof judged)[number] | 'cold'
export type Compared = { readonly name: string; readonly small: Cost; readonly large: Cost }

const warmUpRounds = 10
/** A cold search of the long list begins to read all its names, so it is not done in every round. */
const coldEvery = 8

/** Names are never used twice, also not when a database is measured again. */
let renamed = 0

const deepest = (total: number, perPage: number): number =>
  Math.max(1, Math.min(1_000, Math.ceil(total / perPage)))

export const cases: readonly Case[] = [
  { name: 'first page', at: () => ({}) },
  { name: 'first page of 100', at: () => ({ perPage: 100 }) },
  { name: 'first page by name', at: () => ({ sortBy: 'project', sort: 'asc' }) },
  { name: 'page 1,000 of 10', at: (total) => ({ page: deepest(total, 10) }) },
  { name: 'page 1,000 of 10 by name', at: (total) => ({ sortBy: 'project', page: deepest(total, 10) }) },
  { name: 'page 1,000 of 50', at: (total) => ({ perPage: 50, page: deepest(total, 50) }) },
  { name: 'page 1,000 of 100', at: (total) => ({ perPage: 100, page: deepest(total, 100) }) },
  { name: 'search "abcd", rare', at: () => ({ search: 'abcd' }) },
  { name: 'search "club f3", 1 in 1,280', at: () => ({ search: 'Club F3' }) },
  { name: 'search "club f", 1 in 80', at: () => ({ search: 'Club F' }) },
  { name: 'search "shop", 1 in 5', at: () => ({ search: 'SHOP' }) },
  { name: 'search "shop", 100 a page', at: () => ({ search: 'SHOP', perPage: 100 }) },
  { name: 'search "ab", 2 letters', at: () => ({ search: 'ab' }) },
  { name: 'search "zq", 2 letters, none', at: () => ({ search: 'zq' }) },
  { name: 'search "a", nearly all', at: () => ({ search: 'a' }) },
  { name: 'search "shop", page 1,000', at: (total) => ({ search: 'shop', page: deepest(total / 5, 10) }) },
  {
    name: 'the same, by name',
    at: (total) => ({ search: 'shop', sortBy: 'project', page: deepest(total / 5, 10) }),
  },
]

/** `count` projects shared out over the merchants, each with its shelves if there is one merchant only. */
export async function seed(
  url: string,
  merchants: { from: number; count: number },
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into merchants (id, name) select $1::integer + n, 'Shop' from generate_series(0, $2::integer - 1) as n`,
    [merchants.from, merchants.count],
  )
  await client.query(
    `insert into projects (merchant_id, id, name, name_folded, created_at)
     select $1::integer + n % $2::integer, 'prj_' || substr(md5($1 || 'id' || n), 1, 16), name, lower(name),
            '2026-11-15'::timestamptz - n * interval '1 second'
     from generate_series(1, $3::integer) as n, lateral (
       select (array['Summer', 'Winter', 'Spring', 'Autumn', 'Corner', 'Garden', 'Harbour', 'Market'])[1 + n % 8] || ' '
         || (array['shop', 'campaign', 'site', 'fair', 'club'])[1 + n % 5] || ' ' || substr(md5(n::text), 1, 9) as name
     ) as named`,
    [merchants.from, merchants.count, count],
  )
  await client.query('vacuum analyze projects')
  await client.end()
  if (merchants.count > 1) return
  const db = new Database(url, { poolSize: 1 })
  await inTransaction(db, async (tx) => {
    await claimList(tx, merchants.from)
    await rebuildShelves(tx, merchants.from)
  })
  await db.close()
}

/**
 * Both sizes in turn, round by round, after a warm-up: measured one after the other, the first one paid for cold code
 * and for whatever else the machine did just then, and looked up to three times as dear as it is.
 */
export async function compare(url: string, small: Sized, large: Sized, rounds: number): Promise<Compared[]> {
  const db = new Database(url, { poolSize: 2 })
  const server = await openServer(db, [small, large])
  const compared: Compared[] = []
  for (const each of cases) {
    const times = { small: noTimes(), large: noTimes() }
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const size of ['small', 'large'] as const) {
        const sized = size === 'small' ? small : large
        const request = complete(each.at(sized.projects))
        const cost = await server.measure(sized, request)
        if (round < 0) continue
        for (const kind of judged) times[size][kind].push(cost[kind])
        if (round % coldEvery === 0) times[size].cold.push(await coldCost(db, sized, request))
      }
    }
    compared.push({ name: each.name, small: medians(times.small), large: medians(times.large) })
  }
  await db.close()
  return compared
}

/** A server that has been asked before: the names of the long list are in memory. */
async function openServer(db: Database, lists: readonly Sized[]) {
  const books = makeNameBooks(db)
  const ids = new Map<number, string>()
  for (const { merchantId } of lists) {
    for (const sortBy of ['created_at', 'project'] as const) {
      const page = await makeListProjects(db, { books })(merchantId, complete({ sortBy, search: 'a' }))
      ids.set(merchantId, page.projects[0]?.id ?? '')
    }
  }
  await books.idle()
  return {
    async measure({ merchantId }: Sized, request: ListRequest): Promise<Omit<Cost, 'cold'>> {
      const list = makeListProjects(db, { books }) // remembers no request
      const first = await time(() => list(merchantId, request))
      const again = await time(() => list(merchantId, request))
      renamed += 1
      await renameProject(db, merchantId, ids.get(merchantId) ?? '', { project: `Renamed ${renamed}` })
      const changed = await time(() => list(merchantId, request))
      return { first, again, changed }
    },
  }
}

async function coldCost(db: Database, { merchantId }: Sized, request: ListRequest): Promise<number> {
  const books = makeNameBooks(db)
  const cost = await time(() => makeListProjects(db, { books })(merchantId, request))
  await books.idle()
  return cost
}

type Times = Readonly<Record<Kind, number[]>>

function noTimes(): Times {
  return { first: [], again: [], changed: [], cold: [] }
}

function medians(times: Times): Cost {
  const of = (kind: Kind): number => summarise(times[kind]).median
  return { first: of('first'), again: of('again'), changed: of('changed'), cold: of('cold') }
}

export function complete(request: Partial<ListRequest>): ListRequest {
  return { search: undefined, sortBy: 'created_at', sort: 'desc', perPage: 10, page: 1, ...request }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
