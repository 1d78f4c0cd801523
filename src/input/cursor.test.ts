import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPage, readCursor, readLimit } from './cursor.ts'
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

test('limit is 25 unless the caller says otherwise, and 1 to 100', () => {
  assert.equal(readLimit(new Query({})), 25)
  assert.equal(readLimit(new Query({ limit: '100' })), 100)
  for (const limit of ['0', '101', '-1', '1.5', 'ten']) {
    const fields = new Query({ limit })
    readLimit(fields)
    assert.deepEqual(fields.errors, { limit: ['limit must be a whole number from 1 to 100'] }, limit)
  }
})
