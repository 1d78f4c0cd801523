import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExposed } from './attention.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const seen = {
  exposed_at: '2026-11-01T00:00:00.000000Z',
  revoked_at: null,
  ends_at: null,
  mode: 'live',
} as const

for (const [what, change, isNamed] of [
  ['that stands in a form', {}, true],
  ['of both modes', { mode: null }, true],
  ['of the other mode', { mode: 'test' }, false],
  ['that nobody has seen', { exposed_at: null }, false],
  ['that was revoked', { revoked_at: '2026-11-02T00:00:00.000000Z' }, false],
  ['that ends in a moment', { ends_at: '2026-11-15T12:00:00.001000Z' }, true],
  ['that ends now', { ends_at: '2026-11-15T12:00:00.000000Z' }, false],
  ['that ended', { ends_at: '2026-11-14T00:00:00.000000Z' }, false],
] as const)
  test(`a key ${what} ${isNamed ? 'needs' : 'needs no'} attention on the page of live mode`, () =>
    assert.equal(isExposed({ ...seen, ...change }, 'live', now), isNamed))
