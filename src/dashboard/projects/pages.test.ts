import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  factsIn,
  linksIn,
  now,
  pageAsk,
  tableIn,
  wordsOf,
  type AskChanges,
} from '../../../test/support/dashboard/page-ask.ts'
import { projectPage, projectsPage } from './pages.ts'
import { drawReceived } from '../../modules/figures/dashboard/received.ts'

const home = '/dashboard/12345678/test'
const at = now.toISOString()
const project = { id: 'prj_1', project: 'Fair', created_at: at, updated_at: at } as never
const request = { search: undefined, sortBy: 'created_at', sort: 'desc', page: 1, perPage: 10 }

function list(changes: object = {}, total = 1, ask: AskChanges = {}) {
  const found = { projects: total === 0 ? [] : [project], total }
  return projectsPage(pageAsk(ask), { ...request, ...changes } as never, found).body
}

test('a shop without projects is told what they are for', () => {
  assert.match(wordsOf(list({}, 0)), /No projects yet/)
  assert.match(wordsOf(list({ search: 'x' }, 0)), /No matching projects/)
  assert.ok('New project' in linksIn(list({}, 0)) && 'New project' in linksIn(list()))
  for (const total of [0, 1]) assert.ok(!('New project' in linksIn(list({}, total, { role: 'viewer' }))))
})

for (const [page, total, words, links] of [
  [1, 1, '1 project', []],
  [1, 10, '10 projects', []],
  [1, 11, '11 projects, page 1 of 2', ['Next']],
  [2, 21, '21 projects, page 2 of 3', ['Previous', 'Next']],
  [3, 21, '21 projects, page 3 of 3', ['Previous']],
  [9, 21, '21 projects, page 3 of 3', ['Previous']],
] as const)
  test(`page ${page} of ${total} projects is "${words}"`, () => {
    const shown = list({ page }, total)
    assert.match(wordsOf(shown), new RegExp(`${words}(?: |$)`))
    const found = linksIn(shown)
    assert.deepEqual(
      ['Previous', 'Next'].filter((label) => label in found),
      links,
    )
    if (page === 9) assert.equal(found['Previous'], `${home}/projects?page=3`)
    if (page === 1 && links.length > 0) assert.equal(found['Next'], `${home}/projects?page=2`)
  })

test('an order is named after what it sorts by', () => {
  assert.match(wordsOf(list()), /Newest first Oldest first/)
  assert.match(wordsOf(list({ sortBy: 'project' })), /Z to A A to Z/)
  assert.ok('Clear' in linksIn(list({}, 1, { query: { sort: 'asc' } })))
  assert.ok(!('Clear' in linksIn(list())))
})

const totals = {
  currencies: [{ currency: 'GBP', paid: 1_234, paidMinor: 1_000n, refundedMinor: 250n, disputedMinor: 70n }],
  isWhole: true,
}

function one(changes: object = {}, ask: AskChanges = {}) {
  const asked = pageAsk(ask)
  return projectPage(asked, project, [drawReceived(asked, 'prj_1', { ...totals, ...changes })]).body
}

test('a project shows what customers paid, and what went back', () => {
  assert.deepEqual(tableIn(one()).rows, [['GBP', '1,234', '£10.00', '−£2.50', '−£0.70']])
  assert.deepEqual(tableIn(one()).figures, ['Payments', 'Gross', 'Refunds', 'Disputes'])
  assert.match(wordsOf(one({ currencies: [] })), /Nothing has been paid for this project yet/)
  assert.match(wordsOf(one({ isWhole: false })), /Totals cover the latest/)
  assert.doesNotMatch(wordsOf(one()), /Totals cover the latest/)
  assert.match(wordsOf(one()), /Received in test mode/)
  assert.doesNotMatch(wordsOf(one({}, { mode: 'live' })), /Received in test mode/)
})

test('a project is changed by who may, and says when it was renamed', () => {
  assert.ok('Rename' in linksIn(one()) && !('Rename' in linksIn(one({}, { role: 'viewer' }))))
  assert.equal(factsIn(one())['Renamed'], undefined)
  const renamed = {
    id: 'prj_1',
    project: 'Fair',
    created_at: at,
    updated_at: '2026-11-18T11:00:00.000Z',
  } as never
  assert.equal(factsIn(projectPage(pageAsk(), renamed, []).body)['Renamed'], '1 hour ago')
})
