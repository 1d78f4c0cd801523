import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { agrees, anyRequest, loadProjects, oracle, trickyText } from '../../../test/support/project-oracle.ts'
import type { KnownProject } from '../../../test/support/project-oracle.ts'
import { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { sql } from '../../platform/database/sql.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { listProjects } from './list-projects.ts'
import { foldName } from './names.ts'
import { renameProject } from './rename-project.ts'

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

test('a search finds what a plain substring test finds, in any script and with any symbol', async () => {
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
        const { merchantId, known } = await loadProjects(db, some)
        for (const search of [
          ...searches,
          ...some.map((name) => name.slice(0, 4)).filter((part) => part.isWellFormed()),
        ]) {
          const request = { search, sortBy, sort, perPage: 10, page: 1 }
          await agrees(db, merchantId, known, request)
        }
      },
    ),
    { numRuns: 5 },
  )
})

test('every page of a long list is the right slice, with and without a search', async () => {
  const words = ['Shop', 'shöp', 'SALE', 'fair', 'Ж']
  const { merchantId, known } = await loadProjects(
    db,
    Array.from({ length: 2_600 }, (_, at) => `${words[at % 5]} ${(at * 31) % 997} ${at}`),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...anyRequest, page: fc.integer({ min: 1, max: 270 }) }),
      fc.constantFrom(undefined, 'SH', '1', 'ж', 'zzz', '99'),
      async (request, search) => {
        await agrees(db, merchantId, known, { ...request, search })
      },
    ),
    { numRuns: 80 },
  )
})

test('walking through all pages shows every project once, even with equal values', async () => {
  const names = fc.uniqueArray(trickyText({ minLength: 1, maxLength: 4 }), {
    selector: foldName,
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(names, fc.record(anyRequest), async (some, how) => {
      const { merchantId, known } = await loadProjects(db, some)
      const seen: string[] = []
      for (let page = 1; seen.length < known.length && page <= 9; page += 1) {
        const { projects } = await listProjects(db, merchantId, { search: undefined, page, ...how })
        seen.push(...projects.map((row) => row.id))
      }
      assert.deepEqual(seen, oracle(known, { search: undefined, ...how, page: 1, perPage: 1_000 }).ids)
    }),
    { numRuns: 12 },
  )
})

const name = trickyText({ minLength: 1, maxLength: 5 }).filter((text) => text.trim() === text)
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name }),
  fc.record({ kind: fc.constant('rename' as const), name, at: fc.nat() }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('list' as const),
    request: fc.record({
      ...anyRequest,
      search: fc.option(trickyText({ minLength: 1, maxLength: 3 }), { nil: undefined }),
      page: fc.integer({ min: 1, max: 3 }),
    }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('after any changes a list shows what a plain array holds, with its count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { selector: foldName, minLength: 20 }),
      fc.array(step, { minLength: 40, maxLength: 60 }),
      async (names, steps) => {
        const { merchantId, known } = await loadProjects(db, names)
        for (const each of steps) {
          if (each.kind === 'list') await agrees(db, merchantId, known, each.request)
          else await change(merchantId, known, each).catch(ignoreTaken)
        }
        const counted = await db.query<{ live: number }>(
          sql`select live from project_counts where merchant_id = ${merchantId}`,
        )
        assert.deepEqual(counted, [{ live: known.length }])
      },
    ),
    { numRuns: 12 },
  )
})

async function change(
  merchantId: number,
  known: KnownProject[],
  each: Exclude<Step, { kind: 'list' }>,
): Promise<void> {
  if (each.kind === 'create') {
    known.push(await createProject(db, merchantId, { project: each.name }))
    return
  }
  const at = each.at % known.length
  const project = known[at]
  if (!project) return
  if (each.kind === 'rename') {
    known[at] = await renameProject(db, merchantId, project.id, { project: each.name })
  } else {
    await deleteProject(db, merchantId, at % 2 ? project.id : project.name)
    known.splice(at, 1)
  }
}

function ignoreTaken(error: unknown): void {
  assert.ok(error instanceof Refusal && error.code === 'name_taken')
}

test('statements with a search pattern are never kept prepared', async () => {
  const one = new Database(database.url, { poolSize: 1 })
  try {
    const { merchantId } = await loadProjects(db, ['Shop', 'Fair'])
    for (const search of ['ab', 'sh', 'shop', 'a', 'o', 'x', 'fair']) {
      const request = { search, sortBy: 'project', sort: 'asc', perPage: 10, page: 1 } as const
      await listProjects(one, merchantId, request)
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
