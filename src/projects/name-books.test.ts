import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { agrees, anyRequest, loadProjects, trickyText } from '../../test/support/project-oracle.ts'
import type { Known } from '../../test/support/project-oracle.ts'
import { Database, inTransaction } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { makeListProjects, type ListProjects } from './list-projects.ts'
import { makeNameBooks, type NameBooks, type NameBooksOptions } from './name-books.ts'
import { foldName } from './names.ts'
import type { ListRequest } from './read-list-request.ts'
import { renameProject } from './rename-project.ts'
import { rebuildShelves } from './shelf-store.ts'
import { claimList } from './store.ts'

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

type ListServer = { readonly books: NameBooks; readonly list: ListProjects }

/** What one server process has of its own. */
function openServer(options: NameBooksOptions & { namesPerShelf?: number } = {}): ListServer {
  const { namesPerShelf = 8, ...rest } = options
  const books = makeNameBooks(db, { projectsMin: 1, ...rest })
  return { books, list: makeListProjects(db, { idsMax: 2, namesPerShelf, books }) }
}

const all: ListRequest = { search: 'p', sortBy: 'created_at', sort: 'asc', perPage: 10, page: 1 }
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `p${at * 3}`)

async function inMemory(books: NameBooks, merchantId: number): Promise<boolean> {
  return (await books.count({ merchantId, sortBy: 'created_at' }, 'p', 0n)) !== undefined
}

const name = trickyText({ minLength: 1, maxLength: 5 }).filter((text) => text.trim() === text)
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name }),
  fc.record({ kind: fc.constant('rename' as const), name, at: fc.nat() }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('search' as const),
    server: fc.nat({ max: 2 }),
    request: fc.record({
      ...anyRequest,
      search: trickyText({ minLength: 1, maxLength: 3 }),
      page: fc.integer({ min: 1, max: 3 }),
    }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('Servers that hold the names agree with a plain array, whatever changes behind their backs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { selector: foldName, minLength: 20 }),
      fc.array(step, { minLength: 40, maxLength: 60 }),
      async (names, steps) => {
        const { merchantId, known } = await loadProjects(db, names, 3)
        const servers = [
          openServer(),
          openServer({ namesPerShelf: 1, changesMax: 3 }),
          openServer({ namesPerShelf: 0 }),
        ]
        for (const { list, books } of servers) {
          for (const sortBy of ['created_at', 'project'] as const) await list(merchantId, { ...all, sortBy })
          await books.idle()
        }
        const reads = servers.map(({ books }) => books.idle())
        for (const each of steps) {
          if (each.kind === 'search') {
            const { list } = servers[each.server] as ListServer
            await agrees(list, merchantId, known, each.request)
          } else {
            await change(merchantId, known, each).catch(ignoreTaken)
          }
        }
        for (const { books } of servers) assert.ok(await inMemory(books, merchantId))
        // A book that lost its way is read afresh, which would hide why.
        assert.equal(servers[0]?.books.idle(), reads[0])
        assert.equal(servers[2]?.books.idle(), reads[2])
      },
    ),
    { numRuns: 12 },
  )
})

async function change(
  merchantId: number,
  known: Known[],
  each: Exclude<Step, { kind: 'search' }>,
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
    await deleteProject(db, merchantId, project.id)
    known.splice(at, 1)
  }
}

function ignoreTaken(error: unknown): void {
  assert.ok(error instanceof Refusal && error.code === 'name_taken')
}

test('Nobody waits for the names: PostgreSQL answers until they are in memory', async () => {
  const { merchantId, known } = await loadProjects(db, numbered(30), 10)
  const busy = new Database(database.url, { poolSize: 1 })
  const books = makeNameBooks(busy, { projectsMin: 1 })
  const list = makeListProjects(db, { books })
  await inTransaction(busy, async () => {
    for (const search of ['p', '9', '1']) await agrees(list, merchantId, known, { ...all, search })
    assert.equal(await inMemory(books, merchantId), false)
  })
  await books.idle()
  assert.equal(await inMemory(books, merchantId), true)
  await agrees(list, merchantId, known, { ...all, search: '3' })
  await busy.close()
})

test('Whoever opens a list has its names read, once, before anything is searched', async () => {
  const { merchantId } = await loadProjects(db, numbered(30), 10)
  const { list, books } = openServer()
  await list(merchantId, { ...all, search: undefined })
  await books.idle()
  assert.equal(await inMemory(books, merchantId), true)
  const read = books.idle()
  books.wish({ merchantId, sortBy: 'created_at' }, 30)
  assert.equal(books.idle(), read)
})

test('The names of a short list stay in the database', async () => {
  const { merchantId } = await loadProjects(db, numbered(30), 10)
  const { list, books } = openServer({ projectsMin: 31 })
  await list(merchantId, all)
  await books.idle()
  assert.equal(await inMemory(books, merchantId), false)
})

test('A list longer than the limit stays in the database, and is not tried again at once', async () => {
  const { merchantId, known } = await loadProjects(db, numbered(30), 10)
  let now = 0
  const { list, books } = openServer({ charactersMax: 100, now: () => now })
  for (const search of ['p', '1', '2']) {
    await agrees(list, merchantId, known, { ...all, search })
    await books.idle()
    assert.equal(await inMemory(books, merchantId), false)
  }
  const lastRead = books.idle()
  await list(merchantId, { ...all, search: '3' })
  assert.equal(books.idle(), lastRead)
  now = 60_000
  await list(merchantId, { ...all, search: '4' })
  assert.notEqual(books.idle(), lastRead)
  await books.idle()
})

test('The list that was not searched for longest makes room for another', async () => {
  const lists = [await loadProjects(db, numbered(30)), await loadProjects(db, numbered(30))]
  const third = await loadProjects(db, numbered(30))
  const [first, second] = lists.map(({ merchantId }) => merchantId) as [number, number]
  const { list, books } = openServer({ charactersMax: 250 })
  for (const { merchantId, known } of [...lists, ...lists.slice(0, 1), third]) {
    await agrees(list, merchantId, known, { ...all, search: `p${merchantId % 10}` })
    await books.idle()
    assert.equal(await inMemory(books, merchantId), true)
  }
  assert.equal(await inMemory(books, second), false)
  assert.equal(await inMemory(books, first), true)
  assert.equal(await inMemory(books, third.merchantId), true)
})

test('A list that could not be read is logged, forgotten and tried again later', async () => {
  const { merchantId, known } = await loadProjects(db, numbered(30), 10)
  const lines: string[] = []
  let now = 0
  const away = new Database(database.url, { poolSize: 1 })
  await away.close()
  const books = makeNameBooks(away, {
    now: () => now,
    log: { warn: (_, line) => lines.push(line) },
    projectsMin: 1,
  })
  const list = makeListProjects(db, { books })
  for (const search of ['p', '1']) {
    await agrees(list, merchantId, known, { ...all, search })
    await books.idle()
  }
  assert.deepEqual(lines, ['The names of a list of projects were not read'])
  now = 60_000
  await agrees(list, merchantId, known, { ...all, search: '2' })
  await books.idle()
  assert.equal(lines.length, 2)
})

test('A server can close while lists are being read', async () => {
  const { merchantId } = await loadProjects(db, numbered(30), 10)
  const closing = new Database(database.url, { poolSize: 1 })
  const books = makeNameBooks(closing, { projectsMin: 1 })
  for (const sortBy of ['created_at', 'project'] as const) books.wish({ merchantId, sortBy }, 30)
  await closing.close()
  await books.idle()
})

test('Names are read afresh after changes that left no trace', async () => {
  const { merchantId, known } = await loadProjects(db, numbered(30), 10)
  const { list, books } = openServer()
  await list(merchantId, all)
  await books.idle()
  await inTransaction(db, async (tx) => {
    await claimList(tx, merchantId)
    await rebuildShelves(tx, merchantId, 7)
  })
  const firstRead = books.idle()
  await agrees(list, merchantId, known, all)
  assert.notEqual(books.idle(), firstRead)
  await books.idle()
  for (const search of ['p', '1', '9']) {
    await agrees(list, merchantId, known, { ...all, search, sort: 'desc', page: 2 })
  }
  assert.equal(await inMemory(books, merchantId), true)
})
