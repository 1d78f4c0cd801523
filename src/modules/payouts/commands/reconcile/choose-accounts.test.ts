import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountSummary } from '../../../../core/merchants/accounts/list-accounts.ts'
import { chooseAccounts } from './choose-accounts.ts'

const from = new Date('2026-11-01T00:00:00Z')
const label = 'Corner shop (acct_1)'

function account(id: string, change: Partial<AccountSummary> = {}): AccountSummary {
  return {
    id,
    merchant: 12_345_678,
    connector: 'stripe',
    label,
    sandbox: false,
    callbacks: 'set_up',
    created_at: '2026-01-01T00:00:00.000000Z',
    checked_at: '2026-01-01T00:00:00.000000Z',
    removed_at: null,
    ...change,
  }
}

const removed = (at: string): Partial<AccountSummary> => ({ removed_at: at })
const before = removed('2026-10-31T23:59:59.999000Z')
const since = removed('2026-11-01T00:00:00.000000Z')

for (const [what, accounts, chosen, id] of [
  ['a living account is read', [account('a')], [['a', 'a']], undefined],
  ['one that was removed in the time is read', [account('a', since)], [['a', 'a']], undefined],
  ['one that was removed before it is not', [account('a', before)], [], undefined],
  ['one that was removed before it is read when it is asked for', [account('a', before)], [['a', 'a']], 'a'],
  ['nothing but what is asked for is read', [account('a'), account('b', { label: 'B' })], [['b', 'b']], 'b'],
  ['nothing is read for an id that is nobody’s', [account('a')], [], 'c'],
  [
    'one that was removed and added again is read with the new one, for both',
    [account('new'), account('old', before)],
    [['new', 'new old']],
    undefined,
  ],
  [
    'of two that were removed the last is read with, wherever it stands',
    [account('early', since), account('late', removed('2026-11-02T00:00:00.000000Z'))],
    [['late', 'early late']],
    undefined,
  ],
  [
    'two merchants that share one are read once, also when its name has changed',
    [account('a'), account('b', { merchant: 87_654_321, label: 'New name (acct_1)' })],
    [['a', 'a b']],
    undefined,
  ],
  [
    'a sandbox and another network have books of their own',
    [account('live'), account('test', { sandbox: true }), account('other', { connector: 'gocardless' })],
    [
      ['live', 'live'],
      ['test', 'test'],
      ['other', 'other'],
    ],
    undefined,
  ],
] as const) {
  test(what, () => {
    const found = chooseAccounts(accounts, { from, id })
    assert.deepEqual(
      found.map(({ readWith, ids }) => [readWith.id, ids.join(' ')]),
      chosen,
    )
  })
}
