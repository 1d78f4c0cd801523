import { after, before, test } from 'node:test'
import { openTill, type Till } from '../test/support/till.ts'
import { playPayoutStory } from './payout-stories.ts'

// Some minutes; payout-stories.test.ts plays a few.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

// Ten tests, so that the runner hears of each hundred: it stops a file that is silent for ten minutes.
for (let hundred = 0; hundred < 10; hundred += 1)
  test(`lines, entries and balance agree after payout stories ${hundred * 100 + 1} to ${hundred * 100 + 100}, with kills`, async () => {
    for (let seed = 1; seed <= 100; seed += 1) await playPayoutStory(till, hundred * 100 + seed)
  })
