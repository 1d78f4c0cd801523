import { after, before, test } from 'node:test'
import { openTill, type Till } from '../test/support/till.ts'
import { playPayoutStory } from './payout-stories.ts'

// The short form; payout-stories.long.test.ts plays hundreds.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('lines, entries and balance agree after 15 stories of payouts with kills', async () => {
  for (let seed = 1; seed <= 15; seed += 1) await playPayoutStory(till, seed)
})
