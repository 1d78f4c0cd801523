import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedOf, fieldOf, isFiltered, readFilter } from './filter.ts'

const read = (fields: Record<string, string>) => readFilter((name) => fields[name])

for (const [to, end] of [
  ['2026-11-15', '2026-11-15T23:00:00.000Z'],
  ['2026-07-31', '2026-07-31T22:00:00.000Z'],
  ['soon', 'soon'],
  ['2026-13-01', '2026-13-01'],
] as const)
  test(`a list up to ${to} is queried before ${end}`, () =>
    assert.deepEqual(askedOf(read({ to }), 'Europe/Berlin'), { created_to: end }))

test('filters are translated to query fields, and empty ones left out', () => {
  const typed = { search: ' ada\0 ', state: 'success', currency: 'gbp', from: '2026-01-01', project: 'prj_1' }
  assert.deepEqual(askedOf(read(typed), 'Europe/Berlin'), {
    search: 'ada',
    status: 'success',
    currency: 'GBP',
    created_from: '2025-12-31T23:00:00.000Z',
    project: 'prj_1',
  })
  assert.equal(isFiltered(read(typed)), true)
  assert.equal(isFiltered(read({ search: ' ', cursor: 'x' })), false)
  assert.deepEqual(askedOf(read({}), 'Europe/Berlin'), {})
})

test('a mistake is shown beside its field on the page', () => {
  assert.deepEqual(['status', 'created_from', 'created_to', 'currency', 'search'].map(fieldOf), [
    'state',
    'from',
    'to',
    'currency',
    'search',
  ])
})
