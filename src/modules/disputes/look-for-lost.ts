import type { Job } from '../../platform/jobs/job.ts'
import { listAllAccounts, type AccountSummary } from '../../core/merchants/accounts/list-accounts.ts'
import { accountOf } from '../../core/payments/attempts/hosted/account-of.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import type { AskedDispute } from './ask-network.ts'
import { checkReportedDispute, type CheckResult } from './check-reported-dispute.ts'
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

/** A network that leaves so many questions in a row unanswered is away: the rest is asked about in an hour. */
const unansweredMax = 5

/** What this process knows about an account: until when it was asked, and which disputes couldn't be read yet. */
export type Looked = { readonly until: Date; readonly unread: readonly string[] }

export function lostDisputesJob(paying: Paying): Job {
  const looked = new Map<string, Looked>()
  return {
    name: 'lost disputes',
    everyMs,
    async run() {
      await lookForLostDisputes(paying, looked)
      // Whatever was found, an hour is soon enough for the next look.
      return 0
    },
  }
}

/** One round over all accounts; returns how many disputes were unknown here. */
export async function lookForLostDisputes(
  paying: Paying,
  looked: Map<string, Looked> = new Map(),
): Promise<number> {
  const now = paying.now()
  let found = 0
  // One after the other: nothing waits for this.
  for (const account of await listAllAccounts(paying.db)) {
    if (account.removed_at !== null && now.getTime() - Date.parse(account.removed_at) > afterRemovalMs)
      continue
    const { id, connector } = account
    try {
      const before = looked.get(id) ?? { until: new Date(now.getTime() - firstLookMs), unread: [] }
      const { opened, unread } = await lookAt(paying, account, before)
      found += opened
      looked.set(id, { until: new Date(now.getTime() - overlapMs), unread })
      if (unread.length > 0)
        paying.log.warn(
          { account: id, connector, disputes: unread.slice(0, 10), count: unread.length },
          'Could not read some disputes; will retry in an hour',
        )
    } catch (error) {
      paying.log.warn(
        { err: error, account: id, connector },
        'A network did not list its disputes; will retry in an hour',
      )
    }
  }
  return found
}

async function lookAt(
  paying: Paying,
  asked: AccountSummary,
  before: Looked,
): Promise<{ readonly opened: number; readonly unread: readonly string[] }> {
  const { id: accountId, connector } = asked
  const network = paying.connectors.find((one) => one.name === connector)
  if (network?.kind !== 'hosted' || !network.disputesSince) return { opened: 0, unread: [] }
  const merchantId = asked.merchant === 'installation' ? 0 : asked.merchant
  const { account } = await accountOf(paying, { merchant_id: merchantId, connector, account_id: accountId })
  // All names first: reading them must not run out of time while single disputes are asked about.
  const waiting = new Set(before.unread)
  const names = network.disputesSince(account, before.until, AbortSignal.timeout(callLimitMs))
  for await (const reference of names) waiting.add(reference)
  const unread: string[] = []
  let [opened, unanswered] = [0, 0]
  for (const reference of waiting) {
    if (unanswered === unansweredMax) break
    waiting.delete(reference)
    const result = await checkUnlessKnown(paying, { merchantId, connector, accountId, reference })
    if (result === 'no_answer') unread.push(reference)
    if (result === 'asked') opened += 1
    if (result !== 'known') unanswered = result === 'no_answer' ? unanswered + 1 : 0
  }
  // Those not asked about come first in the next hour: otherwise a few unreadable ones would hide them for ever.
  return { opened, unread: [...waiting, ...unread] }
}

/** Whatever is wrong with one dispute, the others are asked about. */
async function checkUnlessKnown(paying: Paying, dispute: AskedDispute): Promise<CheckResult | 'known'> {
  const { merchantId } = dispute
  try {
    // For the installation's account, before we know whose payment it concerns.
    if (merchantId !== 0 && (await findByReference(paying.db, merchantId, dispute))) return 'known'
    return await checkReportedDispute(paying, dispute)
  } catch (error) {
    paying.log.error({ err: error, merchantId, reference: dispute.reference }, 'Could not read a dispute')
    return 'no_answer'
  }
}
