import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsIn, linksIn, now, pageAsk, tableIn, wordsOf } from '../../../test/support/dashboard/page-ask.ts'
import type { EntryRow } from '../../core/audit/list-audit.ts'
import { auditPage, type AuditModel } from './page.ts'

const entry: EntryRow = {
  merchant_id: 1,
  id: '1',
  at: now.toISOString(),
  actor_kind: 'person',
  actor: 'psn_ada',
  address: null,
  request_id: null,
  action: 'key.created',
  subject: 'key_1',
  before: null,
  after: null,
}
const model: AuditModel = {
  entries: [entry],
  names: new Map([['psn_ada', 'Ada']]),
  filter: { what: '', subject: '', since: '', until: '' },
  newest: undefined,
  older: undefined,
  mayExport: false,
  path: '/audit',
}

const page = (changes: Partial<AuditModel>) => auditPage(pageAsk(), { ...model, ...changes }).body
const row = (changes: Partial<EntryRow>): readonly string[] =>
  tableIn(page({ entries: [{ ...entry, ...changes }] })).rows[0] ?? []

for (const [before, after, change] of [
  [null, null, ''],
  [{ on: true }, { on: false }, 'on: yes → no'],
  [{ on: false }, { on: true }, 'on: no → yes'],
  [null, { name: 'web' }, 'name: web'],
  [{ name: 'web' }, null, 'name: web → removed'],
  [{ name: 'web' }, { name: null }, 'name: web → none'],
  [{ name: 'web', fee: 1 }, { name: 'web', fee: 2 }, 'fee: 1 → 2'],
  [{ hosts: ['a'] }, { hosts: ['a', 'b'] }, 'hosts: a → a, b'],
  [{ pay_within: 1 }, { pay_within: { minutes: 2 } }, 'pay within: 1 → {"minutes":2}'],
  [{ name: null }, {}, ''],
] as const)
  test(`a change from ${JSON.stringify(before)} to ${JSON.stringify(after)} is shown as "${change}"`, () => {
    assert.equal(row({ before, after })[2], change)
  })

for (const [kind, actor, who] of [
  ['person', 'psn_ada', 'Ada'],
  ['person', 'psn_gone', 'psn_gone'],
  ['system', 'florin', 'Florin'],
  ['system', 'customer', 'The customer'],
  ['key', 'key_1', 'Key key_1'],
  ['command_line', 'root', 'Command line root'],
] as const)
  test(`an entry of the ${kind} ${actor} is by ${who}`, () => {
    assert.equal(row({ actor_kind: kind, actor })[3], who)
  })

test('the actor’s address is shown if known', () => {
  assert.equal(row({ address: '192.0.2.1' })[3], 'Ada 192.0.2.1')
})

for (const [action, words] of [
  ['person.signed_in', 'Signed in'],
  ['person.totp_on', 'App codes turned on'],
  ['webhook_secret.rolled', 'Webhook secret rolled'],
  ['key.created', 'Key created'],
] as const)
  test(`${action} is called ${words}`, () => {
    assert.equal(row({ action })[0], words)
  })

test('a subject is named where its name is known', () => {
  assert.equal(row({ subject: 'psn_ada' })[1], 'Ada')
  assert.equal(row({})[1], 'key_1')
})

test('an empty log says whether there are no entries or no matches', () => {
  assert.match(wordsOf(page({ entries: [] })), /No entries yet/)
  const filtered = page({ entries: [], filter: { ...model.filter, what: 'key.' } })
  assert.match(wordsOf(filtered), /No matching entries/)
  assert.equal(linksIn(filtered)['Clear filters'], '/audit')
})

test('an export keeps the filters, for roles that may export', () => {
  const exported = page({ mayExport: true, filter: { ...model.filter, what: 'key.' } })
  assert.deepEqual(Object.values(formsIn(exported)).includes('/audit/do/export'), true)
  assert.match(exported.text, /type="hidden" name="what" value="key\."/)
  assert.ok(!('Export as CSV' in formsIn(page({}))))
})

test('filters can be cleared once there are any', () => {
  assert.ok(!('Clear' in linksIn(page({}))))
  assert.ok('Clear' in linksIn(page({ filter: { ...model.filter, subject: 'key_1' } })))
})
