import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  agrees,
  anyRequest,
  loadProjects,
  oracle,
  trickyText,
  type Loaded,
} from '../../test/support/project-oracle.ts'
import { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { makeListProjects } from './list-projects.ts'
import { foldName } from './names.ts'
import { renameProject } from './rename-project.ts'
import { countShelves } from './list-store.ts'

// The list against an oracle in plain JavaScript: sort, filter and slice an array.

let database: TestDatabase
let db: Database

before(async () => {
  database = await createTestDatabase()
  db = new Database(database.url, { poolSize: 4 })
})
after(async () => {
  await db.close()
  await database.drop()
})

async function load(names: readonly string[], perShelf?: number): Promise<Loaded> {
  return loadProjects(db, names, perShelf)
}

test('A search finds what a plain substring test finds, in any script and with any sign', async () => {
  const names = fc.uniqueArray(trickyText({ minLength: 1, maxLength: 12 }), {
    selector: foldName,
    minLength: 40,
    maxLength: 60,
  })
  const terms = fc.array(trickyText({ minLength: 1, maxLength: 3 }), { minLength: 25, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(
      names,
      terms,
      anyRequest.sortBy,
      anyRequest.sort,
      async (some, searches, sortBy, sort) => {
        const { merchantId, known } = await load(some, 7)
        const byIds = makeListProjects(db)
        const byShelves = makeListProjects(db, { idsMax: 0 })
        for (const search of [
          ...searches,
          ...some.map((name) => name.slice(0, 4)).filter((part) => part.isWellFormed()),
        ]) {
          const request = { search, sortBy, sort, perPage: 10, page: 1 }
          await agrees(byIds, merchantId, known, request)
          await agrees(byShelves, merchantId, known, request)
        }
      },
    ),
    { numRuns: 5 },
  )
})

test('Every page of a long list is the slice that it should be, with and without a search', async () => {
  const words = ['Shop', 'shöp', 'SALE', 'fair', 'Ж']
  const { merchantId, known } = await load(
    Array.from({ length: 2_600 }, (_, at) => `${words[at % 5]} ${(at * 31) % 997} ${at}`),
  )
  const list = makeListProjects(db)
  const shelfList = makeListProjects(db, { idsMax: 50 })
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...anyRequest, page: fc.integer({ min: 1, max: 270 }) }),
      fc.constantFrom(undefined, 'SH', '1', 'ж', 'zzz', '99'),
      async (request, search) => {
        await agrees(list, merchantId, known, { ...request, search })
        await agrees(shelfList, merchantId, known, { ...request, search })
      },
    ),
    { numRuns: 80 },
  )
})

test('Walking over all pages shows every project once, whatever is equal', async () => {
  const names = fc.uniqueArray(trickyText({ minLength: 1, maxLength: 4 }), {
    selector: foldName,
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.record(anyRequest),
      fc.integer({ min: 1, max: 20 }),
      async (some, how, perShelf) => {
        const { merchantId, known } = await load(some, perShelf)
        const list = makeListProjects(db)
        const seen: string[] = []
        for (let page = 1; seen.length < known.length && page <= 9; page += 1) {
          const { projects } = await list(merchantId, { search: undefined, page, ...how })
          seen.push(...projects.map((row) => row.id))
        }
        assert.deepEqual(seen, oracle(known, { search: undefined, ...how, page: 1, perPage: 1_000 }).ids)
      },
    ),
    { numRuns: 12 },
  )
})

const change = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name: fc.integer({ max: 99_999, min: 0 }) }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('rename' as const),
    at: fc.nat(),
    name: fc.integer({ max: 99_999, min: 0 }),
  }),
)

test('Shelves hold what they say after any changes, full ones split and empty ones gone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 40 }), async (changes) => {
      // Shelves one short of full, and of three: both ends are met.
      const few = await load(
        Array.from({ length: 9 }, (_, at) => `p${at * 11_000}`),
        3,
      )
      const many = await load(
        Array.from({ length: 1_998 }, (_, at) => `p${at * 50 + 1}`),
        999,
      )
      for (const { merchantId, known } of [few, many]) {
        const ids = known.map((row) => row.id)
        for (const each of changes) await apply(merchantId, ids, each).catch(ignoreTaken)
        for (const sortBy of ['created_at', 'project'] as const) {
          const said = await countShelves(db, merchantId, sortBy, undefined)
          assert.deepEqual(await countShelves(db, merchantId, sortBy, '%'), said)
          assert.equal(
            said.shelves.reduce((sum, shelf) => sum + shelf.count, 0),
            ids.length,
          )
          assert.ok(said.shelves.every(({ count }, at) => count <= 1_000 && (at === 0 || count > 0)))
        }
      }
    }),
    { numRuns: 4 },
  )
})

async function apply(
  merchantId: number,
  ids: string[],
  each: typeof change extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  if (each.kind === 'create') {
    ids.push((await createProject(db, merchantId, { project: `p${each.name}` })).id)
    return
  }
  const id = ids[each.at % ids.length]
  if (id === undefined) return
  if (each.kind === 'rename') {
    await renameProject(db, merchantId, id, { project: `p${each.name}` })
    return
  }
  await deleteProject(db, merchantId, id)
  ids.splice(ids.indexOf(id), 1)
}

function ignoreTaken(error: unknown): void {
  assert.equal((error as Error).message, 'You have a project of this name')
}

test('Statements with a pattern are planned with it: none of them stays prepared', async () => {
  const one = new Database(database.url, { poolSize: 1 })
  try {
    const { merchantId } = await load(['Shop', 'Fair'])
    for (const idsMax of [0, 10]) {
      for (const search of ['ab', 'sh', 'shop', 'a', 'o', 'x', 'fair']) {
        const request = { search, sortBy: 'project', sort: 'asc', perPage: 10, page: 1 } as const
        await makeListProjects(one, { idsMax })(merchantId, request)
      }
    }
    const prepared = await one.query<{ statement: string }>(sql`select statement from pg_prepared_statements`)
    assert.deepEqual(
      prepared.filter(({ statement }) => statement.includes(' like ')),
      [],
    )
  } finally {
    await one.close()
  }
})
