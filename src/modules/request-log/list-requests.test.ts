import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { Database } from '../../platform/database/database.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import { findRequest, listRequests, type RequestFilter, type RequestPage } from './list-requests.ts'
import { insertRequests, type Edge, type NewRequest } from './request-store.ts'

// Lists beside a plain oracle: all lines that fit, sorted.

let home: TestDatabase
let db: Database
let merchantId: number
before(async () => {
  home = await createTestDatabase()
  db = new Database(home.url)
  merchantId = await createMerchant(db, { name: 'Corner shop' })
  await insertRequests(db, merchantId, lines)
})
after(async () => {
  await db.close()
  await home.drop()
})

const modes = ['test', 'none', 'live', 'test', 'none'] as const
const statuses = [200, 399, 400, 499, 500, 503, 302]

/** Three of each moment, of modes that take turns, with ids in no order. */
const lines: readonly NewRequest[] = Array.from({ length: 42 }, (_, index) => ({
  mode: modes[index % modes.length] ?? 'test',
  at: new Date(Date.UTC(2026, 10, 15, 12, 0, Math.floor(index / 3))).toISOString(),
  id: `log_${String((index * 17) % 42).padStart(16, '0')}`,
  request_id: `req_${index}`,
  key_id: `key_${index % 4}`,
  method: index % 3 === 0 ? 'GET' : 'POST',
  path: index % 5 === 0 ? '/api/payment' : '/api/refund',
  status: statuses[index % statuses.length] ?? 200,
  duration_us: index,
  request_body: `asked ${index}`,
  answer_body: null,
  warnings: null,
}))

const everything: RequestFilter = { outcome: '', method: '', keyId: '', path: '' }

const filters: readonly (readonly [Partial<RequestFilter>, fits: (line: NewRequest) => boolean])[] = [
  [{}, () => true],
  [{ outcome: 'success' }, ({ status }) => status < 400],
  [{ outcome: 'refused' }, ({ status }) => status >= 400 && status < 500],
  [{ outcome: 'failed' }, ({ status }) => status >= 500],
  [{ method: 'GET' }, ({ method }) => method === 'GET'],
  [{ keyId: 'key_1' }, ({ key_id }) => key_id === 'key_1'],
  [{ path: 'payment' }, ({ path }) => path.includes('payment')],
  [{ path: 'nowhere' }, () => false],
  [
    { outcome: 'refused', method: 'POST', keyId: 'key_2', path: 'refund' },
    (line) =>
      line.status >= 400 &&
      line.status < 500 &&
      line.method === 'POST' &&
      line.key_id === 'key_2' &&
      line.path.includes('refund'),
  ],
]

function wanted(mode: 'test' | 'live', fits: (line: NewRequest) => boolean): string[] {
  return lines
    .filter((line) => (line.mode === mode || line.mode === 'none') && fits(line))
    .toSorted((one, other) => (one.at + one.id < other.at + other.id ? 1 : -1))
    .map(({ request_id }) => request_id)
}

const idsOf = (page: RequestPage): string[] => page.lines.map(({ request_id }) => request_id)

/** Every page, from the newest to the last. */
async function walk(
  mode: 'test' | 'live',
  filter: Partial<RequestFilter>,
  sizes: { readonly window?: number; readonly size?: number },
): Promise<string[][]> {
  const pages: string[][] = []
  let edge: Edge | undefined
  do {
    const page = await listRequests(db, { merchantId, mode }, { ...everything, ...filter }, edge, sizes)
    pages.push(idsOf(page))
    edge = page.next
  } while (edge !== undefined && pages.length <= lines.length)
  return pages
}

function inPages(ids: readonly string[], size: number): string[][] {
  const count = Math.max(1, Math.ceil(ids.length / size))
  return Array.from({ length: count }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

test('pages are full and follow one another, whatever the filter, if everything can be searched', async () => {
  for (const [filter, fits] of filters)
    for (const mode of ['test', 'live'] as const)
      for (const size of [1, 4, 100]) {
        const pages = await walk(mode, filter, { size, window: 1_000 })
        assert.deepEqual(pages, inPages(wanted(mode, fits), size), JSON.stringify([filter, mode, size]))
      }
})

test('when a page searches only a few lines, pages may be short but skip nothing', async () => {
  for (const [filter, fits] of filters)
    for (const size of [1, 3])
      for (const window of [size + 1, 5, 9]) {
        const pages = await walk('test', filter, { size, window })
        assert.deepEqual(pages.flat(), wanted('test', fits), JSON.stringify([filter, size, window]))
        assert.ok(pages.every((page) => page.length <= size))
      }
})

test('an empty page says from where older lines were not searched', async () => {
  const nowhere = { ...everything, path: 'nowhere' }
  const scope = { merchantId, mode: 'test' } as const
  const page = await listRequests(db, scope, nowhere, undefined, { window: 5 })
  assert.deepEqual(page.lines, [])
  // Of each of the two modes the newest five: the horizon is the younger of their ends.
  const fifth = (mode: NewRequest['mode']): string => {
    const own = lines.filter((line) => line.mode === mode)
    const places = own.map(({ at, id }) => `${at.replace('Z', '000Z')} ${id}`)
    return places.toSorted().at(-5) ?? assert.fail('there are five')
  }
  assert.equal(`${page.next?.at} ${page.next?.name}`, [fifth('test'), fifth('none')].toSorted()[1])
  assert.equal((await listRequests(db, scope, nowhere)).next, undefined)
})

test('a request is found by its id in its mode, and in both if its key has none', async () => {
  for (const { request_id, mode, ...line } of lines.slice(0, 5)) {
    for (const asked of ['test', 'live'] as const) {
      const found = await findRequest(db, { merchantId, mode: asked }, request_id)
      const isThere = mode === asked || mode === 'none'
      assert.equal(found?.request_body, isThere ? line.request_body : undefined)
    }
  }
})
