import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPayWithin, payWithinOf, readPayWithin, formatMinutes } from './pay-within.ts'

const rule = /^pay_within must be 30 minutes to 30 days$/

test('a time to pay is shown in the largest exact unit', () => {
  assert.deepEqual([30, 59, 60, 90, 120, 1_440, 2_880, 2_881, 43_200].map(formatMinutes), [
    '30 minutes',
    '59 minutes',
    '1 hour',
    '90 minutes',
    '2 hours',
    '24 hours',
    '2 days',
    '2881 minutes',
    '30 days',
  ])
  assert.deepEqual(payWithinOf(2_880), { count: 2, unit: 'days' })
})

test('a time to pay is read in minutes, hours or days, from half an hour to thirty days', () => {
  assert.equal(readPayWithin(' 30 ', 'minutes'), 30)
  assert.equal(readPayWithin('24', 'hours'), 1_440)
  assert.equal(readPayWithin('30', 'days'), 43_200)
  for (const [count, unit] of [
    ['29', 'minutes'],
    ['43201', 'minutes'],
    ['31', 'days'],
    ['1.5', 'hours'],
    ['-2', 'hours'],
    ['', 'hours'],
    ['1000000', 'minutes'],
    ['2', 'weeks'],
    ['2', 'toString'],
  ] as const)
    assert.throws(() => readPayWithin(count, unit), { message: rule }, `${count} ${unit}`)
})

test('only whole minutes within the limits are accepted', () => {
  for (const minutes of [30, 31, 43_199, 43_200]) assert.equal(checkPayWithin(minutes), minutes)
  for (const minutes of [29, 43_201, 30.5, Number.NaN])
    assert.throws(() => checkPayWithin(minutes), { message: rule })
})
