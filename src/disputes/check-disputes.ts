import type { Job } from '../jobs/job.ts'
import { makeLately } from '../merchants/lately.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import { accountOfForm } from './ask-network.ts'
import { findMerchantsWithDisputesToCheck } from './due-look-store.ts'
import { askAgain, hearOfDispute } from './hear-of-dispute.ts'
import { claimToCheck, type DisputeRow } from './store.ts'

// Asks about disputes by itself, so that a lost callback does no harm. A claim is a lease: a worker that dies holds nothing
// up, and two that meet do no harm, as an older answer never counts.

const everyMs = 1_000
/** After a network that did not answer, too. */
const leaseMs = 10 * 60_000
const claimMax = 20

export function disputesJob(paying: Paying): Job {
  const lately = makeLately()
  return { name: 'disputes', everyMs, run: async () => checkDisputes(paying, lately) }
}

/** One round; returns how many disputes were asked about. */
export async function checkDisputes(paying: Paying, lately = makeLately()): Promise<number> {
  const told = await hearNews(paying)
  const now = paying.now()
  const merchants = await findOrRemember(paying, lately, now)
  const max = Math.ceil(claimMax / Math.max(1, merchants.length))
  const asking: Promise<void>[] = []
  for (const merchantId of merchants) {
    const claimed = await claimSafely(paying, merchantId, { now, leaseMs, max })
    for (const dispute of claimed)
      asking.push(safely(paying, merchantId, async () => askAgain(paying, dispute)))
  }
  await Promise.all(asking)
  return told + asking.length
}

/** Of networks that live in this process and call nobody. */
async function hearNews(paying: Paying): Promise<number> {
  let count = 0
  for (const network of paying.connectors) {
    if (network.kind !== 'form' || !network.newsOfDisputes) continue
    const { name: connector } = network
    const news = await network.newsOfDisputes(claimMax).catch((error: unknown) => {
      // What is known must not wait for what is new.
      paying.log.warn({ err: error, connector }, 'A network did not say whether there are new disputes')
      return []
    })
    for (const { merchantId, disputeReference: reference } of news) {
      const asked = { merchantId, connector, accountId: accountOfForm(connector), reference }
      await safely(paying, merchantId, async () => hearOfDispute(paying, asked))
      count += 1
    }
  }
  return count
}

/** While a look over all merchants fails, those that had some lately are visited. */
async function findOrRemember(
  paying: Paying,
  lately: ReturnType<typeof makeLately>,
  now: Date,
): Promise<readonly number[]> {
  let found: readonly number[]
  try {
    found = await findMerchantsWithDisputesToCheck(paying.db, { now, max: claimMax })
  } catch (error) {
    found = lately.list().slice(0, claimMax)
    if (found.length === 0) throw error
    paying.log.warn({ err: error }, 'A look for disputes failed; merchants that had some lately are visited')
  }
  lately.remember(...found)
  return found
}

/** A merchant whose disputes can't be read must not keep the others waiting. */
async function claimSafely(
  paying: Paying,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<DisputeRow[]> {
  try {
    return await claimToCheck(paying.db, merchantId, claim)
  } catch (error) {
    paying.log.error({ err: error, merchantId }, 'Disputes of a merchant could not be claimed')
    return []
  }
}

async function safely(paying: Paying, merchantId: number, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask()
  } catch (error) {
    paying.log.error({ err: error, merchantId }, 'A dispute could not be asked about; it will be tried again')
  }
}
