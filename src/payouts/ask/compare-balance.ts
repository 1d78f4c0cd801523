import type { PayoutReports } from '../../connectors/payout-reports.ts'
import { inTransaction, type Transaction } from '../../database/database.ts'
import { addEntries, listBalances, setDifference } from '../ledger/ledger-store.ts'
import type { Payouts } from '../payouts.ts'
import { notifyOfBalance } from '../notify-merchant.ts'
import { lockFeed, noteComparison, type Feed } from './feed-store.ts'

// Our ledger says what a network holds, and so does the network. They are compared every night. What the network held before
// Florin first looked can't be in our lines: the first comparison books it as the opening balance.

const triesMax = 3
const callLimitMs = 60_000

export type BalanceDifference = { readonly currency: string; readonly differenceMinor: bigint }

/** `readAgain`: a booking made between the two questions would look like a difference. */
export async function compareBalance(
  payouts: Payouts,
  feed: Feed,
  reports: Pick<PayoutReports, 'balance'>,
  readAgain: () => Promise<void>,
): Promise<readonly BalanceDifference[]> {
  if (!reports.balance) return []
  let differences: readonly BalanceDifference[] = []
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (tries > 0) await readAgain()
    const theirs = await reports.balance(AbortSignal.timeout(callLimitMs))
    const ours = await heldBy(payouts, feed)
    const currencies = new Set([...ours.keys(), ...theirs.map(({ currency }) => currency)])
    differences = [...currencies].map((currency) => {
      const reported = theirs.find((one) => one.currency === currency)?.amountMinor ?? 0n
      return { currency, differenceMinor: reported - (ours.get(currency) ?? 0n) }
    })
    if (differences.every(({ differenceMinor }) => differenceMinor === 0n)) break
  }
  await note(payouts, feed, differences)
  return feed.compared_at === null ? [] : differences.filter(({ differenceMinor }) => differenceMinor !== 0n)
}

async function heldBy({ db }: Payouts, feed: Feed): Promise<Map<string, bigint>> {
  const balances = await listBalances(db, { merchantId: feed.merchant_id, mode: feed.mode })
  return new Map(
    balances
      .filter(({ account_id }) => account_id === feed.account_id)
      .map(({ currency, held_minor }) => [currency, held_minor]),
  )
}

async function note(payouts: Payouts, feed: Feed, differences: readonly BalanceDifference[]): Promise<void> {
  const now = payouts.now()
  await inTransaction(payouts.db, async (tx) => {
    await lockFeed(tx, feed)
    for (const { currency, differenceMinor } of differences) {
      if (feed.compared_at === null) await openBalance(tx, feed, { currency, differenceMinor, at: now })
      else await noteDifference(payouts, tx, feed, { currency, differenceMinor })
    }
    await noteComparison(tx, feed, now)
  })
}

async function openBalance(
  tx: Transaction,
  feed: Feed,
  { currency, differenceMinor, at }: BalanceDifference & { at: Date },
): Promise<void> {
  const source = `opening:${currency}`
  await addEntries(tx, feed, [{ source, currency, at, sales: -differenceMinor, held: differenceMinor }])
  await setDifference(tx, feed, currency, 0n)
}

async function noteDifference(
  payouts: Payouts,
  tx: Transaction,
  feed: Feed,
  { currency, differenceMinor }: BalanceDifference,
): Promise<void> {
  const known = (await listBalances(tx, { merchantId: feed.merchant_id, mode: feed.mode })).find(
    (one) => one.account_id === feed.account_id && one.currency === currency,
  )
  await setDifference(tx, feed, currency, differenceMinor)
  // Told once, not every night.
  if (differenceMinor !== 0n && known?.difference_minor !== differenceMinor)
    await notifyOfBalance(payouts, tx, feed, { currency, differenceMinor })
}
