import type { Payouts } from '../payouts.ts'
import { lookAtAccount, type Look } from './ask-account.ts'
import { claimFeed, type NewFeed } from './feed-store.ts'
import { follow } from './follow-accounts.ts'

const leaseMs = 45 * 60_000
const triesMax = 3

/**
 * Copies what is new in an account and compares its balance now, whether it is due or not, for somebody who waits for the
 * answer. Undefined when the network reports no payouts.
 */
export async function checkBalance(
  payouts: Payouts,
  of: Pick<NewFeed, 'merchant_id' | 'account_id' | 'connector'>,
): Promise<Look | undefined> {
  if (!(await follow(payouts, of))) return undefined
  const key = { merchantId: of.merchant_id, accountId: of.account_id }
  for (let tries = 1; ; tries += 1) {
    const claimed = await claimFeed(payouts.db, key, new Date(payouts.now().getTime() + leaseMs))
    if (!claimed) return undefined
    const look = await lookAtAccount(payouts, claimed, { comparesBalance: true })
    if (look.kind !== 'overtaken' || tries === triesMax) return look
  }
}
