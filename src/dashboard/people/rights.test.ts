import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hasRight, readRole, rights, rightsTable, roles, type Right } from './rights.ts'

test('a bookkeeper can view and export, and changes nothing', () => {
  const rightsOf = (Object.keys(rights) as Right[]).filter((right) => hasRight('bookkeeper', right))
  assert.deepEqual(
    rightsOf.filter((right) => !/\.(view|export|match|leave)$/.test(right)),
    [],
  )
  for (const right of ['payments.export', 'bookkeeping.export', 'audit.export'] as const)
    assert.ok(rightsOf.includes(right), right)
  for (const [, right] of rightsTable) assert.ok(hasRight('owner', right), right)
})

test('only known roles are read', () => {
  for (const role of roles) assert.equal(readRole(role), role)
  for (const odd of [undefined, '', 'Owner', 'operator', '__proto__', 'constructor'])
    assert.equal(readRole(odd), undefined)
})

test('viewers can’t move money or change keys or roles, and docs/people.md lists who can', () => {
  const changing = (Object.keys(rights) as Right[]).filter((right) => !/\.(view|leave)$/.test(right))
  assert.deepEqual(
    changing.filter((right) => hasRight('viewer', right)),
    [],
  )
  const page = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8')
  const row = (start: string): string[] =>
    (page.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '')
      .split('|')
      .slice(2, 2 + roles.length)
      .map((cell) => cell.trim())
  const said: readonly [string, Right][] = [
    ['look at payments', 'payments.view'],
    ['cancel payments', 'payments.cancel'],
    ['cancel payments', 'notifications.resend'],
    ['refund', 'payments.refund'],
    ['keys', 'keys.change'],
    ['read the audit', 'audit.view'],
    ['export', 'audit.export'],
    ['change the team', 'team.change'],
    ['change the team', 'settings.change'],
  ]
  for (const [start, right] of said)
    assert.deepEqual(
      row(start),
      roles.map((role) => (hasRight(role, right) ? 'yes' : '')),
      right,
    )
})
