import type { Mode } from '../../../core/merchants/mode.ts'
import type { Payout } from '../payout.ts'
import { listPayouts } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { askAccount } from './ask-account.ts'
import { claimFeed, insertFeed, listFeeds } from './feed-store.ts'
import { testFeedsOf } from './follow-accounts.ts'

const leaseMs = 45 * 60_000

/**
 * Asks every account of a merchant now, for a person waiting for the answer; in test mode the network pays out first.
 * Returns how many gave no answer.
 */
export async function lookNow(
  payouts: Payouts,
  of: { readonly merchantId: number; readonly mode: Mode },
): Promise<number> {
  const { db, connectors, now } = payouts
  if (of.mode === 'test') {
    for (const feed of testFeedsOf(payouts, of.merchantId)) await insertFeed(db, feed, now())
    for (const network of connectors) if (network.kind === 'form') await network.payOutNow?.(of.merchantId)
  }
  let unanswered = 0
  for (const { account_id: accountId } of await listFeeds(db, of)) {
    const until = new Date(now().getTime() + leaseMs)
    const claimed = await claimFeed(db, { merchantId: of.merchantId, accountId }, until)
    if (claimed && !(await askAccount(payouts, claimed))) unanswered += 1
  }
  return unanswered
}

/** More currencies than a shop takes. */
const newPayoutsMax = 100 // No test: any number above the currencies of a shop will do

/** In test mode, what the network holds; returns the new payouts. */
export async function payOutNow(payouts: Payouts, merchantId: number): Promise<readonly Payout[]> {
  const of = { merchantId, mode: 'test', limit: newPayoutsMax } as const
  const known = new Set((await listPayouts(payouts.db, of)).map(({ id }) => id))
  await lookNow(payouts, of)
  return (await listPayouts(payouts.db, of)).filter(({ id }) => !known.has(id))
}
