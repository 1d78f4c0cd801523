import { after, before, test } from 'node:test'
import { openTill, type Till } from '../test/support/till.ts'
import { playPayoutStory } from './payout-stories.ts'

// payout-stories.test.ts plays a few. What a story can see of a planted bug it saw by the 13th of them.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const hundreds = Number(process.env['PAYOUT_STORIES'] ?? 300) / 100

// A test for each hundred, so that the runner hears of it: it stops a file that is silent for ten minutes.
for (let hundred = 0; hundred < hundreds; hundred += 1)
  test(`lines, entries and balance agree after payout stories ${hundred * 100 + 1} to ${hundred * 100 + 100}, with kills`, async () => {
    for (let seed = 1; seed <= 100; seed += 1) await playPayoutStory(till, hundred * 100 + seed)
  })
