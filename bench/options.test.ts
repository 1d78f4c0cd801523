import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from './options.ts'

test('names and --only choose measures, and unknown ones are refused', () => {
  const known = { alone: ['create', 'look-up', 'growth'], against: ['create'] }
  assert.deepEqual(
    readOptions(['growth', '--only', 'create,look-up', '--merchants', '50', '--quick'], known),
    {
      scale: 'quick',
      names: ['growth', 'create', 'look-up'],
      merchants: 50,
      otherMerchants: 50,
      against: undefined,
    },
  )
  const refusals: [string, string][] = [
    ['--merchants 0', '--merchants and --other-merchants must be whole numbers, 1 to 9999'],
    ['--only rows', 'There is nothing called "rows" to measure. Allowed: create look-up growth'],
    [
      '--slow',
      "Unknown option '--slow'. Allowed: --quick --full --only --merchants --other-merchants --against",
    ],
    [
      'growth --against v0.1.0',
      'There is nothing called "growth" to measure against another checkout. Allowed: create',
    ],
  ]
  for (const [args, refusal] of refusals) assert.equal(readOptions(args.split(' '), known), refusal)
})
