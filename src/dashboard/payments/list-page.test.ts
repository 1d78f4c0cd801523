import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn, pageAsk, wordsOf, type AskChanges } from '../../../test/support/dashboard/page-ask.ts'
import { readFilter } from './filter.ts'
import { listPage } from './list-page.ts'

const home = '/dashboard/12345678/test'
const filter = readFilter((name) => (name === 'search' ? 'ada' : undefined))

function list(changes: object = {}, ask: AskChanges = {}) {
  const model = { filter, page: { payments: [], nextCursor: null }, isFirstPage: true }
  return listPage(pageAsk(ask), { ...model, ...changes } as never).body
}

for (const [count, isExact, words] of [
  [0, true, '0 payments'],
  [1, true, '1 payment'],
  [2, true, '2 payments'],
  [10_000, false, 'more than 10,000 payments'],
] as const)
  test(`a list of ${isExact ? '' : 'more than '}${count} says ${words}`, () => {
    assert.match(wordsOf(list({ count: { count, isExact } })), new RegExp(`^Payments ${words}(?: |$)`))
  })

test('payments are exported by who may, and pages keep the filter', () => {
  assert.equal(linksIn(list())['Export'], `${home}/payments/all/export?search=ada`)
  assert.ok(!('Export' in linksIn(list({}, { role: 'viewer' }))))
  const later = linksIn(list({ page: { payments: [], nextCursor: 'c' }, isFirstPage: false }))
  assert.deepEqual(
    [later['Older'], later['Newest']],
    [`${home}/payments?search=ada&cursor=c`, `${home}/payments?search=ada`],
  )
})
