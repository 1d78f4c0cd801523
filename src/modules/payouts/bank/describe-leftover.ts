import type { Leftover } from './match.ts'

/** Why an entry of the bank is for no payout, in a few words. */
export function describeLeftover({ why, payoutId = 'a payout' }: Pick<Leftover, 'why' | 'payoutId'>): string {
  const words: Readonly<Record<Leftover['why'], string>> = {
    amount_differs: `names ${payoutId}, but the amount differs`,
    seen_before: `names ${payoutId}, which another entry is for`,
    ambiguous: 'could be one of several payouts',
    unknown: 'names a network, but fits no payout',
  }
  return words[why]
}
