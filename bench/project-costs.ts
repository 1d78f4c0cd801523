import pg from 'pg'
import { Database } from '../src/platform/database/database.ts'
import { listProjects } from '../src/core/projects/list-projects.ts'
import type { ListRequest } from '../src/core/projects/read-list-request.ts'
import { summarise } from './measure.ts'

// What a page of projects costs in a short and in a long list, measured below HTTP, where a difference is not hidden by
// what every request costs.

/** near: within a few times its cost in the short list. far: every project of the list is looked at. */
export type Case = {
  readonly name: string
  readonly kind: 'near' | 'far'
  readonly at: (total: number) => Partial<ListRequest>
}
export type Sized = { readonly merchantId: number; readonly projects: number }
/** Median milliseconds. */
export type Compared = {
  readonly name: string
  readonly kind: Case['kind']
  readonly small: number
  readonly large: number
}

const warmUpRounds = 5

const near = (name: string, at: Case['at']): Case => ({ name, kind: 'near', at })
const far = (name: string, at: Case['at']): Case => ({ name, kind: 'far', at })
const page1000 = (total: number): number => Math.max(1, Math.min(1_000, Math.ceil(total / 10)))

const cases: readonly Case[] = [
  near('first page', () => ({})),
  near('first page of 100', () => ({ perPage: 100 })),
  near('first page by name', () => ({ sortBy: 'project', sort: 'asc' })),
  near('page 1,000', (total) => ({ page: page1000(total) })),
  near('page 1,000 by name', (total) => ({ sortBy: 'project', page: page1000(total) })),
  near('last page', (total) => ({ page: total / 10 })),
  near('last page by name', (total) => ({ sortBy: 'project', page: total / 10 })),
  near('search "abcd", rare', () => ({ search: 'abcd' })),
  near('search "club f3", 1 in 1,280', () => ({ search: 'Club F3' })),
  far('page in the middle', (total) => ({ page: total / 20 })),
  far('page in the middle by name', (total) => ({ sortBy: 'project', page: total / 20 })),
  far('search "club f", 1 in 80', () => ({ search: 'Club F' })),
  far('search "shop", 1 in 5', () => ({ search: 'SHOP' })),
  far('search "shop", last page', (total) => ({ search: 'shop', page: total / 50 })),
  far('search "ab", 2 letters', () => ({ search: 'ab' })),
  far('search "zq", 2 letters, none', () => ({ search: 'zq' })),
  far('search "a", nearly all', () => ({ search: 'a' })),
  far('search "a", by name', () => ({ search: 'a', sortBy: 'project' })),
]

/** `count` projects shared out over the merchants. */
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
  await client.query(
    `insert into project_counts (merchant_id, live)
     select merchant_id, count(*) from projects where merchant_id >= $1 group by merchant_id`,
    [merchants.from],
  )
  await client.query('vacuum analyze projects')
  await client.end()
}

/**
 * Both sizes in turn, round by round, after a warm-up: measured one after the other, the first one paid for cold code
 * and for whatever else the machine did just then, and looked up to three times as dear as it is.
 */
export async function compare(url: string, small: Sized, large: Sized, rounds: number): Promise<Compared[]> {
  const db = new Database(url, { poolSize: 1 })
  const compared: Compared[] = []
  for (const { name, kind, at } of cases) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const [size, { merchantId, projects }] of [
        ['small', small],
        ['large', large],
      ] as const) {
        const milliseconds = await time(() => listProjects(db, merchantId, complete(at(projects))))
        if (round >= 0) times[size].push(milliseconds)
      }
    }
    compared.push({ name, kind, small: summarise(times.small).median, large: summarise(times.large).median })
  }
  await db.close()
  return compared
}

function complete(request: Partial<ListRequest>): ListRequest {
  return { search: undefined, sortBy: 'created_at', sort: 'desc', perPage: 10, page: 1, ...request }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
