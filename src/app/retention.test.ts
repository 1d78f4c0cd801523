import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../platform/settings/config.ts'
import { retentionOf } from './retention.ts'

function daysOf(settings: Record<string, string> = {}): Record<string, number | undefined> {
  return Object.fromEntries(
    retentionOf(readConfig(settings, import.meta.dirname)).map(({ pruning, days }) => [pruning.name, days]),
  )
}

test('each kind of data is kept for its own setting’s days', () => {
  const settings = {
    KEEP_NOTIFICATION_DAYS: '31',
    KEEP_MAIL_DAYS: '32',
    KEEP_CALLBACK_DAYS: '33',
    KEEP_TEST_DAYS: '34',
    KEEP_PERSONAL_DAYS: '35',
    AUDIT_DAYS: '36',
    REQUEST_LOG_DAYS: '37',
  }
  assert.deepEqual(daysOf(settings), {
    'bodies and tries of notifications': 31,
    mail: 32,
    'callbacks of networks': 33,
    'payments of test mode': 34,
    'who paid': 35,
    'audit entries': 36,
    requests: 37,
    'hashes of cards': 23.5 / 24,
  })
})

test('0 keeps everything for ever, except requests', () => {
  const settings = { KEEP_MAIL_DAYS: '0', KEEP_PERSONAL_DAYS: '0', REQUEST_LOG_DAYS: '0' }
  const days = daysOf(settings)
  assert.deepEqual([days['mail'], days['who paid'], days['requests']], [undefined, undefined, 0])
})

test('by default mail and notifications are kept for 90 days, tests for 180, and customers’ data for ten years', () => {
  const days = daysOf()
  assert.deepEqual(
    [
      days['bodies and tries of notifications'],
      days['mail'],
      days['payments of test mode'],
      days['who paid'],
    ],
    [90, 90, 180, 3_650],
  )
})
