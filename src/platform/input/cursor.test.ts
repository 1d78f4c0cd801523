import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cutPage,
  readCursor,
  readLimit,
  readPage,
  readPages,
  type ListPart,
  type CursorPosition,
} from './cursor.ts'
import { Query } from './fields.ts'

const rows = ['req_3', 'a/b:c', 'req_1'].map((name) => ({ at: '2026-11-15T14:05:00.123456Z', name }))

test('a page ends where the next one begins', () => {
  const { rows: shown, limit, nextCursor } = cutPage(rows, 2, (row) => row)
  assert.deepEqual([shown, limit], [rows.slice(0, 2), 2])
  assert.deepEqual(readCursor(new Query({ cursor: nextCursor }), /./), rows[1])
})

test('the last page has no cursor, full or not', () => {
  for (const limit of [3, 4]) assert.equal(cutPage(rows, limit, (row) => row).nextCursor, null)
  assert.equal(cutPage([], 1, () => rows[0] ?? assert.fail()).nextCursor, null)
})

test('limit defaults to 25 and may be 1 to 100', () => {
  assert.equal(readLimit(new Query({})), 25)
  assert.equal(readLimit(new Query({ limit: '100' })), 100)
  for (const limit of ['0', '101', '-1', '1.5', 'ten']) {
    const fields = new Query({ limit })
    readLimit(fields)
    assert.deepEqual(fields.errors, { limit: ['limit must be a whole number from 1 to 100'] }, limit)
  }
})

/** A list of three rows. */
async function list({ after, limit }: ListPart): Promise<CursorPosition[]> {
  const begin = rows.findIndex(({ name }) => name === after?.name) + 1
  return rows.slice(begin, begin + limit)
}
const options = { names: /./, positionOf: (row: CursorPosition) => row }

test('a list is read page by page, each from the previous page’s cursor', async () => {
  const first = await readPage(new Query({ limit: '2' }), options, list)
  assert.deepEqual([first.rows, first.limit], [rows.slice(0, 2), 2])
  const second = await readPage(new Query({ limit: '2', cursor: first.nextCursor }), options, list)
  assert.deepEqual([second.rows, second.nextCursor], [rows.slice(2), null])
})

test('a list with a fixed page size takes no limit', async () => {
  const { rows: shown } = await readPage(new Query({}), { ...options, limit: 1 }, list)
  assert.deepEqual(shown, rows.slice(0, 1))
  await assert.rejects(readPage(new Query({ limit: '2' }), { ...options, limit: 1 }, list))
})

test('nothing is read when fields are refused', async () => {
  const never = async (): Promise<CursorPosition[]> => assert.fail()
  for (const query of [{ limit: '0' }, { cursor: 'x' }, { unknown: 'x' }])
    await assert.rejects(readPage(new Query(query), options, never), JSON.stringify(query))
})

test('a file has every row of its list once, whatever the page size', async () => {
  for (const [limit, sizes] of [
    [1, [1, 1, 1, 0]],
    [2, [2, 1]],
    [3, [3, 0]],
    [4, [3]],
  ] as const) {
    const pages = await Array.fromAsync(readPages(limit, options.positionOf, list))
    assert.deepEqual(
      pages.map(({ length }) => length),
      sizes,
    )
    assert.deepEqual(pages.flat(), rows)
  }
})
