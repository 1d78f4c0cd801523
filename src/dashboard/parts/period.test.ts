import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthsBefore, readPeriod } from './period.ts'

const now = new Date('2026-03-31T22:30:00Z')
const read = (query: Record<string, string>, zone = 'Europe/London') => {
  const { name, from, to, before } = readPeriod(query, now, zone)
  return [name, `${from} ${to}`, `${before.from} ${before.to}`]
}

test('a period ends today where the shop is, and has one of the same length before it', () => {
  assert.deepEqual(read({}), ['30', '2026-03-02 2026-03-31', '2026-01-31 2026-03-01'])
  assert.deepEqual(read({ period: '7' }), ['7', '2026-03-25 2026-03-31', '2026-03-18 2026-03-24'])
  assert.deepEqual(read({ period: 'today' }), ['today', '2026-03-31 2026-03-31', '2026-03-30 2026-03-30'])
  assert.deepEqual(read({ period: 'today' }, 'Asia/Tokyo')[1], '2026-04-01 2026-04-01')
  assert.deepEqual(read({ period: 'today' }, 'America/Los_Angeles')[1], '2026-03-31 2026-03-31')
})

test('a month is compared with the same days of the month before, as far as it has them', () => {
  assert.deepEqual(read({ period: 'month' }), ['month', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'])
  assert.deepEqual(read({ period: 'month' }, 'Asia/Tokyo'), [
    'month',
    '2026-04-01 2026-04-01',
    '2026-03-01 2026-03-01',
  ])
})

test('last month, last quarter and the year to date are compared with the one before', () => {
  assert.deepEqual(read({ period: 'last_month' }), [
    'last_month',
    '2026-02-01 2026-02-28',
    '2026-01-01 2026-01-31',
  ])
  assert.deepEqual(read({ period: 'last_quarter' }, 'Asia/Tokyo'), [
    'last_quarter',
    '2026-01-01 2026-03-31',
    '2025-10-01 2025-12-31',
  ])
  assert.deepEqual(read({ period: 'year' }), ['year', '2026-01-01 2026-03-31', '2025-01-01 2025-03-31'])
  const leap = readPeriod({ period: 'year' }, new Date('2028-02-29T12:00:00Z'), 'UTC')
  assert.equal(leap.before.to, '2027-02-28')
})

test('own dates may be swapped or half given, are a year at most, and nonsense is ignored', () => {
  assert.deepEqual(read({ from: '2026-02-10', to: '2026-02-01' }), [
    'own',
    '2026-02-01 2026-02-10',
    '2026-01-22 2026-01-31',
  ])
  assert.equal(read({ from: '2026-03-01' })[1], '2026-03-01 2026-03-31')
  assert.equal(read({ to: '2026-03-01' })[1], '2026-03-01 2026-03-01')
  assert.equal(read({ from: '1999-01-01', to: '2026-03-01' })[1], '2025-03-01 2026-03-01')
  assert.equal(read({ from: 'soon', to: '2026-13-45', period: 'x' })[0], '30')
})

test('last month and last quarter are whole months where the shop is', () => {
  const days = (at: string, count: 1 | 3, zone = 'Europe/London') =>
    Object.values(monthsBefore(new Date(at), zone, count)).join(' ')
  assert.equal(days('2026-03-15T12:00:00Z', 1), '2026-02-01 2026-02-28')
  assert.equal(days('2026-01-15T12:00:00Z', 1), '2025-12-01 2025-12-31')
  assert.equal(days('2026-01-15T12:00:00Z', 3), '2025-10-01 2025-12-31')
  assert.equal(days('2026-05-31T12:00:00Z', 3), '2026-01-01 2026-03-31')
  assert.equal(days('2026-12-31T20:00:00Z', 3, 'Asia/Tokyo'), '2026-10-01 2026-12-31')
})
