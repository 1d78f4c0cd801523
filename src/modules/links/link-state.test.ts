import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkState } from './link-state.ts'
import type { LinkRow } from './store.ts'

const now = new Date('2026-03-01T12:00:00Z')
const at = (ms: number): string => new Date(now.getTime() + ms).toISOString()
const open = { stock: null, taken: 0, paid: 0, ends_at: null, paused_at: null }

for (const [name, change, state] of [
  ['without limits', { taken: 100_000, paid: 100_000 }, 'open'],
  ['with a place left', { stock: 3, taken: 2, paid: 2 }, 'open'],
  ['whose last place is held', { stock: 3, taken: 3, paid: 2 }, 'all_taken'],
  ['whose last place is paid', { stock: 3, taken: 3, paid: 3 }, 'sold_out'],
  ['that ends in a moment', { ends_at: at(1) }, 'open'],
  ['that ends now', { ends_at: at(0) }, 'ended'],
  ['that ended', { ends_at: at(-1) }, 'ended'],
  ['that was paused', { paused_at: at(-1) }, 'paused'],
  ['that was paused and ended', { paused_at: at(-1), ends_at: at(-1) }, 'paused'],
  ['that ended with places held', { ends_at: at(0), stock: 1, taken: 1 }, 'ended'],
  ['that was paused and sold out', { paused_at: at(-1), stock: 1, taken: 1, paid: 1 }, 'sold_out'],
] as const) {
  test(`a link ${name} is ${state}`, () => {
    assert.equal(linkState({ ...open, ...change } as unknown as LinkRow, now), state)
  })
}
