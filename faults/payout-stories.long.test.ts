import { after, before, test } from 'node:test'
import { openTill, type Till } from '../test/support/till.ts'
import { playPayoutStory } from './payout-stories.ts'

// Some minutes; payout-stories.test.ts plays a few.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('lines, entries and balance agree after 1,000 stories of payouts with kills', async () => {
  for (let seed = 1; seed <= 1_000; seed += 1) await playPayoutStory(till, seed)
})
