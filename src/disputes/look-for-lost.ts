import type { Job } from '../database/job.ts'
import { listAllAccounts, type AccountSummary } from '../merchants/accounts/list-accounts.ts'
import { accountOf } from '../payments/attempts/hosted/account-of.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import { hearOfDispute } from './hear-of-dispute.ts'
import { findByReference } from './store.ts'

// A dispute is known by its first callback. For one that never came, each account is asked what was opened there since it
// was asked last. That is remembered by this process alone: another one, or a new one, asks for some weeks, and what is
// known already costs nothing.

const everyMs = 3_600_000
const dayMs = 24 * 3_600_000
/** As long as anybody may have been away, and longer than a network repeats its callbacks. */
const firstLookMs = 60 * dayMs
/** A network's clock is not ours, and its lists may lag behind. */
const overlapMs = dayMs
/** Banks ask for money back for months after an account was removed here. */
const afterRemovalMs = 180 * dayMs
const callLimitMs = 60_000

export function lostDisputesJob(paying: Paying): Job {
  const askedUntil = new Map<string, Date>()
  return {
    name: 'lost disputes',
    everyMs,
    async run() {
      await lookForLostDisputes(paying, askedUntil)
      // Whatever was found, an hour is soon enough for the next look.
      return 0
    },
  }
}

/** One round over all accounts; returns how many disputes were unknown here. */
export async function lookForLostDisputes(
  paying: Paying,
  askedUntil: Map<string, Date> = new Map(),
): Promise<number> {
  const now = paying.now()
  let found = 0
  // One after the other: nobody waits for this.
  for (const account of await listAllAccounts(paying.db)) {
    if (account.removed_at !== null && now.getTime() - Date.parse(account.removed_at) > afterRemovalMs)
      continue
    try {
      const since = askedUntil.get(account.id) ?? new Date(now.getTime() - firstLookMs)
      found += await lookAt(paying, account, since)
      askedUntil.set(account.id, new Date(now.getTime() - overlapMs))
    } catch (error) {
      paying.log.warn(
        { err: error, account: account.id, connector: account.connector },
        'A network did not say which disputes there are; it is asked again in an hour',
      )
    }
  }
  return found
}

async function lookAt(paying: Paying, asked: AccountSummary, since: Date): Promise<number> {
  const { id: accountId, connector: name } = asked
  const network = paying.connectors.find((one) => one.name === name)
  if (network?.kind !== 'hosted' || !network.disputesSince) return 0
  const merchantId = asked.merchant === 'installation' ? 0 : asked.merchant
  const of = { merchant_id: merchantId, connector: name, account_id: accountId }
  const { account } = await accountOf(paying, of)
  let found = 0
  for await (const reference of network.disputesSince(account, since, AbortSignal.timeout(callLimitMs))) {
    const dispute = { merchantId, connector: name, accountId, reference }
    if (merchantId !== 0 && (await findByReference(paying.db, merchantId, dispute))) continue
    // Of the installation's account: nobody knows yet whose payment it is about.
    const heard = await hearOfDispute(paying, dispute)
    if (heard === 'no_answer') throw new Error(`${name} did not tell of ${reference}`)
    if (heard === 'asked') found += 1
  }
  return found
}
