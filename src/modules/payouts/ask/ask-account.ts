import type { PayoutReports, ReportedLine, ReportedPayout } from '../../../core/networks/payout-reports.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import type { Payout } from '../payout.ts'
import { hasOpen } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { bookLines, linesAtOnce } from './book-lines.ts'
import { compareBalance, type Comparison } from './compare-balance.ts'
import { endAsk, lockFeed, noteFailure, Superseded, type Feed } from './feed-store.ts'
import { completeLines, markUntold, recordPayout } from './record-payout.ts'
import { reportsOf } from './reports-of.ts'

// One look at an account: its payouts, the lines of those that have none here yet, and what was booked since. It is
// read and written in parts; a look that fails halfway is repeated from the start, and changes nothing twice.

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** GoCardless forgets the lines of payouts after six months. */
const firstPayoutsMs = 180 * dayMs
/** A bank sends money back within some weeks. */
const laterPayoutsMs = 40 * dayMs
/** Money held for longer than that when Florin first looks is part of the opening balance. */
const firstBookingsMs = 30 * dayMs
/** A network's clock is not ours, and its lists may lag behind. */
const overlapMs = hourMs
const compareEveryMs = 20 * hourMs
const lookLimitMs = 30 * minuteMs
export const retryMs = 15 * minuteMs

export type Look =
  | {
      readonly kind: 'done'
      /** Undefined: the network's own balance was not asked for, or it has none. */
      readonly balances: Comparison | undefined
    }
  | { readonly kind: 'no_answer'; readonly problem: string }
  /** Another worker has claimed the account since. */
  | { readonly kind: 'overtaken' }

/** False when the network gave no answer: it is asked again later. */
export async function askAccount(payouts: Payouts, feed: Feed): Promise<boolean> {
  const isDue =
    feed.compared_at === null || payouts.now().getTime() - Date.parse(feed.compared_at) >= compareEveryMs
  return (await lookAtAccount(payouts, feed, { comparesBalance: isDue })).kind !== 'no_answer'
}

export async function lookAtAccount(
  payouts: Payouts,
  feed: Feed,
  { comparesBalance }: { readonly comparesBalance: boolean },
): Promise<Look> {
  const now = payouts.now()
  try {
    const reports = await reportsOf(payouts, feed)
    const copy = async (): Promise<void> => {
      await copyPayouts(payouts, feed, reports, now)
      await copyBookings(payouts, feed, reports, now)
    }
    await copy()
    const balances = comparesBalance ? await compareBalance(payouts, feed, reports, copy) : undefined
    await endAsk(payouts.db, feed, { nextCheckAt: await nextCheckAt(payouts, feed, now), readUntil: now })
    return { kind: 'done', balances }
  } catch (error) {
    if (error instanceof Superseded) return { kind: 'overtaken' }
    const { merchant_id: merchantId, account_id: account } = feed
    payouts.log.warn({ err: error, merchantId, account }, 'A network did not report its payouts')
    const problem = error instanceof Error ? error.message.slice(0, 200) : 'no answer'
    const failure = { now, nextCheckAt: new Date(now.getTime() + retryMs), problem }
    await noteFailure(payouts.db, feed, failure)
    return { kind: 'no_answer', problem }
  }
}

async function copyPayouts(payouts: Payouts, feed: Feed, reports: PayoutReports, now: Date): Promise<void> {
  const isFirst = feed.read_until === null
  const since = new Date(now.getTime() - (isFirst ? firstPayoutsMs : laterPayoutsMs))
  const signal = AbortSignal.timeout(lookLimitMs)
  for await (const reported of reports.payouts(since, signal)) {
    const payout = await recordPayout(payouts, feed, reported, isFirst)
    if (payout.lines === 'waiting') await copyLines(payouts, feed, payout, reported, reports, signal)
  }
}

async function copyLines(
  payouts: Payouts,
  feed: Feed,
  payout: Payout,
  reported: ReportedPayout,
  reports: PayoutReports,
  signal: AbortSignal,
): Promise<void> {
  if (reported.lines === 'never') return markUntold(payouts, feed, payout)
  if (reported.lines === 'later') return
  await bookInParts(payouts, feed, reports.payoutLines(reported, signal), payout.id)
  await completeLines(payouts, feed, payout)
}

async function copyBookings(payouts: Payouts, feed: Feed, reports: PayoutReports, now: Date): Promise<void> {
  if (!reports.bookings) return
  const since =
    feed.read_until === null ? now.getTime() - firstBookingsMs : Date.parse(feed.read_until) - overlapMs
  await bookInParts(payouts, feed, reports.bookings(new Date(since), AbortSignal.timeout(lookLimitMs)), null)
}

/** No network call is made inside a transaction: a part is read, then written. */
async function bookInParts(
  payouts: Payouts,
  feed: Feed,
  lines: AsyncIterable<ReportedLine>,
  payoutId: string | null,
): Promise<void> {
  let part: ReportedLine[] = []
  const write = async (): Promise<void> =>
    inTransaction(payouts.db, async (tx) => {
      await lockFeed(tx, feed)
      await bookLines(tx, feed, part, payoutId)
    })
  for await (const line of lines) {
    part.push(line)
    if (part.length < linesAtOnce) continue
    await write()
    part = []
  }
  if (part.length > 0) await write()
}

/** Live networks send callbacks; missed ones are found within the hour. The test network sends none. */
async function nextCheckAt(payouts: Payouts, feed: Feed, now: Date): Promise<Date> {
  if (feed.mode === 'live') return new Date(now.getTime() + hourMs)
  const key = { merchantId: feed.merchant_id, accountId: feed.account_id }
  if (await hasOpen(payouts.db, key, new Date(now.getTime() - dayMs)))
    return new Date(now.getTime() + minuteMs / 2)
  return new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)
}
