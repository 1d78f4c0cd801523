import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../settings/config.ts'
import { retentionOf } from './retention.ts'

function daysOf(settings: Record<string, string> = {}): Record<string, number> {
  return Object.fromEntries(
    retentionOf(readConfig(settings, import.meta.dirname)).map(({ pruning, days }) => [pruning.name, days]),
  )
}

test('each thing is kept for the days of its own setting', () => {
  const settings = {
    KEEP_NOTIFICATION_DAYS: '31',
    KEEP_MAIL_DAYS: '32',
    KEEP_CALLBACK_DAYS: '33',
    KEEP_TEST_DAYS: '34',
    KEEP_PERSONAL_DAYS: '35',
  }
  assert.deepEqual(daysOf(settings), {
    'bodies and tries of notifications': 31,
    mail: 32,
    'callbacks of networks': 33,
    'payments of test mode': 34,
    'who paid': 35,
  })
})

test('without settings mail and notifications are kept for 90 days, tests for 180, and who paid for ten years', () => {
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
