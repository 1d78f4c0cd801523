import assert from 'node:assert/strict'
import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { listProjects } from '../../src/core/projects/list-projects.ts'
import { foldName } from '../../src/core/projects/names.ts'
import type { ListRequest } from '../../src/core/projects/read-list-request.ts'

// What a list of projects should answer, in plain JavaScript: sort, filter and slice an array.

export type KnownProject = { id: string; name: string; created_at: string }
export type Loaded = { readonly merchantId: number; readonly known: KnownProject[] }

/** Projects of a new merchant, in one statement; only five times of creation, so that most are equal. */
export async function loadProjects(db: Database, names: readonly string[]): Promise<Loaded> {
  const merchantId = await createMerchant(db, { name: 'Shop' })
  const known = names.map((name, at) => ({
    id: `prj_${String((at * 7919) % 100_003).padStart(16, '0')}`,
    name,
    created_at: `2026-11-15T12:00:00.00000${at % 5}Z`,
  }))
  const columns = [known.map((row) => row.id), names, names.map(foldName), known.map((row) => row.created_at)]
  await db.query(sql`
    insert into projects (merchant_id, id, name, name_folded, created_at)
    select ${merchantId}, id, name, folded, created_at from unnest(
      ${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[], ${columns[3]}::timestamptz[]
    ) as new (id, name, folded, created_at)`)
  await db.query(sql`insert into project_counts (merchant_id, live) values (${merchantId}, ${names.length})`)
  return { merchantId, known }
}

export function oracle(
  known: readonly KnownProject[],
  request: ListRequest,
): { ids: string[]; total: number } {
  const search = foldName(request.search ?? '')
  const value = (row: KnownProject): string =>
    request.sortBy === 'project' ? foldName(row.name) : row.created_at + row.id
  const found = known
    .filter((row) => foldName(row.name).includes(search))
    .map((row) => ({ id: row.id, place: Buffer.from(value(row)) }))
    .toSorted((a, b) => Buffer.compare(a.place, b.place))
  if (request.sort === 'desc') found.reverse()
  const from = (request.page - 1) * request.perPage
  return { ids: found.slice(from, from + request.perPage).map((row) => row.id), total: found.length }
}

export async function agrees(
  db: Database,
  merchantId: number,
  known: readonly KnownProject[],
  request: ListRequest,
): Promise<void> {
  const { projects, total } = await listProjects(db, merchantId, request)
  assert.deepEqual(
    { ids: projects.map((row) => row.id), total },
    oracle(known, request),
    JSON.stringify(request),
  )
}

export const anyRequest = {
  sortBy: fc.constantFrom('created_at' as const, 'project' as const),
  sort: fc.constantFrom('asc' as const, 'desc' as const),
  perPage: fc.constantFrom(10, 25, 50, 100),
}

const tricky = [...'aAbBxX10%_\\ .*?[]()^$+|\'"ÄäßẞSsςσΣЖжıiİ中ﬁ🎪👍🏽', 'e\u0301', 'é', '\u{10ffff}']
export const trickyText = (limit: { minLength: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(fc.constantFrom(...tricky), limit).map((parts) => parts.join('')),
    fc.string({ ...limit, unit: anyCharacter }).filter((text) => !/\p{Cc}/u.test(text) && text !== ''),
  )
