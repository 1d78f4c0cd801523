import type { PayoutReports, ReportedBalance } from '../../../core/networks/payout-reports.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { addEntries, listBalances, setDifference } from '../ledger/ledger-store.ts'
import type { Payouts } from '../payouts.ts'
import { notifyOfBalance } from '../notify-merchant.ts'
import { lockFeed, noteComparison, type Feed } from './feed-store.ts'

// Our ledger says what a network holds, and so does the network. They are compared every night. What the network held before
// Florin first looked can't be in our lines: the first comparison books it as the opening balance.

const triesMax = 3
const callLimitMs = 60_000

export type ComparedBalance = {
  readonly currency: string
  readonly thereMinor: bigint
  /** What our ledger said, before an opening balance was added. */
  readonly hereMinor: bigint
  /** The first comparison: the difference is the opening balance. */
  readonly isFirst: boolean
}

/** `moving`: bookings came in while we asked, each time; whoever compares then would see a difference that is none. */
export type Comparison = readonly ComparedBalance[] | 'moving'

/**
 * `readAgain`: a booking made between the two questions looks like a difference, so a difference counts once both figures were the same twice.
 * Undefined: the network has no such figure.
 */
export async function compareBalance(
  payouts: Payouts,
  feed: Feed,
  reports: Pick<PayoutReports, 'balance'>,
  readAgain: () => Promise<void>,
): Promise<Comparison | undefined> {
  if (!reports.balance) return undefined
  let before = ''
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (tries > 0) await readAgain()
    const theirs = await reports.balance(AbortSignal.timeout(callLimitMs))
    const compared = besideOurs(theirs, await heldBy(payouts, feed), feed.compared_at === null)
    const differing = compared.filter(({ thereMinor, hereMinor }) => thereMinor !== hereMinor)
    const now = differing.map((one) => `${one.currency} ${one.thereMinor} ${one.hereMinor}`).join()
    if (now === '' || now === before) {
      await note(payouts, feed, compared)
      return compared
    }
    before = now
  }
  return 'moving'
}

function besideOurs(
  theirs: readonly ReportedBalance[],
  ours: ReadonlyMap<string, bigint>,
  isFirst: boolean,
): ComparedBalance[] {
  const currencies = new Set([...ours.keys(), ...theirs.map(({ currency }) => currency)])
  return [...currencies].map((currency) => {
    const thereMinor = theirs.find((one) => one.currency === currency)?.amountMinor ?? 0n
    return { currency, thereMinor, hereMinor: ours.get(currency) ?? 0n, isFirst }
  })
}

async function heldBy({ db }: Payouts, feed: Feed): Promise<Map<string, bigint>> {
  const balances = await listBalances(db, { merchantId: feed.merchant_id, mode: feed.mode })
  return new Map(
    balances
      .filter(({ account_id }) => account_id === feed.account_id)
      .map(({ currency, held_minor }) => [currency, held_minor]),
  )
}

type BalanceDifference = { readonly currency: string; readonly differenceMinor: bigint }

async function note(payouts: Payouts, feed: Feed, compared: readonly ComparedBalance[]): Promise<void> {
  const now = payouts.now()
  await inTransaction(payouts.db, async (tx) => {
    await lockFeed(tx, feed)
    for (const { currency, thereMinor, hereMinor, isFirst } of compared) {
      const differenceMinor = thereMinor - hereMinor
      if (isFirst) await openBalance(tx, feed, { currency, differenceMinor, at: now })
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
