import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inZone, formatExactly, timeAgo } from './parts.ts'

const at = new Date('2026-07-31T22:30:00Z')

test('times are shown in the shop’s time zone, with its name', () => {
  const say = (timeZone: string): string => formatExactly(at, inZone(at, timeZone))
  assert.equal(say('UTC'), '31 July 2026, 22:30 UTC')
  assert.equal(say('Europe/London'), '31 July 2026, 23:30 BST')
  assert.equal(say('Europe/Berlin'), '1 August 2026, 00:30 CEST')
})

test('an old time is shown as a day in the shop’s time zone, with the exact time beside it', () => {
  const now = inZone(new Date('2026-09-01T00:00:00Z'), 'Europe/Berlin')
  assert.match(timeAgo(at, now).text, /title="1 August 2026, 00:30 CEST">1 August 2026</)
  assert.match(timeAgo(at, inZone(new Date('2026-07-31T22:31:00Z'), 'UTC')).text, />1 minute ago</)
})
