import type { Job } from '../../../platform/jobs/job.ts'
import { listAllAccounts } from '../../../core/merchants/accounts/list-accounts.ts'
import { everyMerchant } from '../../../core/merchants/list.ts'
import type { Payouts } from '../payouts.ts'
import { hurryFeed, insertFeed, type NewFeed } from './feed-store.ts'
import { accountOfForm, reportsPayouts } from './reports-of.ts'

export type { Payouts }

// Which accounts are asked about payouts: every merchant's own at a network that reports them, and the test network for every
// merchant. Accounts of the installation pay its operator, for many merchants at once: no merchant has a payout of theirs.

const everyMs = 3_600_000

export function payoutAccountsJob(payouts: Payouts): Job {
  let testsUntil = 0
  return {
    name: 'accounts with payouts',
    everyMs,
    async run() {
      await followAccounts(payouts)
      const day = Math.floor(payouts.now().getTime() / 86_400_000)
      if (day > testsUntil) await followTests(payouts)
      testsUntil = day
      // Whatever was found, an hour is soon enough for the next look.
      return 0
    },
  }
}

/** Removed accounts stay: what they owe is still paid out. */
export async function followAccounts(payouts: Payouts): Promise<void> {
  for (const { id, merchant, connector } of await listAllAccounts(payouts.db)) {
    if (merchant === 'installation') continue
    await follow(payouts, { merchant_id: merchant, account_id: id, connector })
  }
}

/** A merchant who never tried a payment costs one statement a day. */
export async function followTests(payouts: Payouts): Promise<void> {
  for await (const merchant_id of everyMerchant(payouts.db))
    for (const feed of testFeedsOf(payouts, merchant_id)) await insertFeed(payouts.db, feed, payouts.now())
}

export function testFeedsOf({ connectors }: Payouts, merchantId: number): NewFeed[] {
  return connectors
    .filter((connector) => connector.kind === 'form' && reportsPayouts(connector))
    .map(({ name, mode }) => ({
      merchant_id: merchantId,
      account_id: accountOfForm(name),
      connector: name,
      mode,
    }))
}

/** False if this account's network reports no payouts. */
export async function hurryAccount(
  payouts: Payouts,
  of: Pick<NewFeed, 'merchant_id' | 'account_id' | 'connector'>,
): Promise<boolean> {
  if (of.merchant_id === 0 || !(await follow(payouts, of))) return false
  const key = { merchantId: of.merchant_id, accountId: of.account_id }
  return hurryFeed(payouts.db, key, payouts.now())
}

/** False when the network reports no payouts. */
export async function follow(
  payouts: Payouts,
  of: Pick<NewFeed, 'merchant_id' | 'account_id' | 'connector'>,
): Promise<boolean> {
  const connector = payouts.connectors.find(({ name }) => name === of.connector)
  if (!connector || !reportsPayouts(connector)) return false
  await insertFeed(payouts.db, { ...of, mode: connector.mode }, payouts.now())
  return true
}
