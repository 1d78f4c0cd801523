import type { ReportedPayout } from '../../../core/networks/payout-reports.ts'
import { inTransaction, type Transaction } from '../../../platform/database/database.ts'
import { randomBase62 } from '../../../platform/database/random-id.ts'
import { addEntries } from '../ledger/ledger-store.ts'
import { sumLines, writeLines, type NewLine } from '../line-store.ts'
import type { Payout } from '../payout.ts'
import { insertHistory, insertPayout, lockByReference, setLines, updatePayout } from '../payout-store.ts'
import type { Payouts } from '../payouts.ts'
import { eventOf, holderOf, nextState, type PayoutState } from '../state-machine.ts'
import { notifyOfDifference, notifyOfPayout } from '../notify-merchant.ts'
import { entryOf } from './book-lines.ts'
import { lockFeed, type Feed } from './feed-store.ts'

// The only writer of payouts: the payout, its history, the ledger and the notification are one commit.

const idLength = 24
const textMax = 200

/** `isFirst`: the account was never asked before, and what ended long ago is no news. */
export async function recordPayout(
  payouts: Payouts,
  feed: Feed,
  reported: ReportedPayout,
  isFirst: boolean,
): Promise<Payout> {
  const now = payouts.now()
  return inTransaction(payouts.db, async (tx) => {
    await lockFeed(tx, feed)
    const { merchant_id: merchantId, account_id: accountId } = feed
    const before = await lockByReference(tx, { merchantId, accountId, reference: reported.reference })
    if (before && !isSame(before, reported)) return warnOfChange(payouts, before, reported)
    const state = nextState(before?.state, reported.status)
    if (before && state === undefined) return before
    const facts = { ...payoutDetails(reported), state: state ?? reported.status }
    if (before && isKnown(before, facts)) return before
    const after = before
      ? await updatePayout(tx, before, facts, now)
      : await insertPayout(tx, { ...namesOf(feed, reported), ...facts }, now)
    if (before?.state !== after.state) {
      const place = await insertHistory(tx, after, now)
      await moveMoney(tx, feed, after, { from: before?.state, place, at: now })
      const event = eventOf(before?.state, after.state)
      if (event && !isFirst) await notifyOfPayout(payouts, tx, event, after)
    }
    return after
  })
}

function namesOf(feed: Feed, reported: ReportedPayout) {
  return {
    merchant_id: feed.merchant_id,
    id: `po_${randomBase62(idLength)}`,
    mode: feed.mode,
    connector: feed.connector,
    account_id: feed.account_id,
    reference: reported.reference,
    amount_minor: reported.money.amountMinor,
    currency: reported.money.currency,
    made_at: reported.madeAt,
  }
}

type Facts = Pick<Payout, 'arrives_on' | 'bank_reference' | 'failure'>

function payoutDetails({ arrivesOn, bankReference, failure }: ReportedPayout): Facts {
  return {
    arrives_on: arrivesOn ?? null,
    bank_reference: bankReference?.slice(0, textMax) ?? null,
    failure: failure?.slice(0, textMax) ?? null,
  }
}

function isKnown(before: Payout, after: Facts & Pick<Payout, 'state'>): boolean {
  return (
    before.state === after.state &&
    before.arrives_on === after.arrives_on &&
    before.bank_reference === after.bank_reference &&
    before.failure === after.failure
  )
}

function isSame(before: Payout, { money }: ReportedPayout): boolean {
  return before.amount_minor === money.amountMinor && before.currency === money.currency
}

function warnOfChange(payouts: Payouts, before: Payout, { money }: ReportedPayout): Payout {
  const { merchant_id: merchantId, id, amount_minor: was, currency } = before
  payouts.log.error(
    {
      merchantId,
      payout: id,
      was: String(was),
      is: String(money.amountMinor),
      currency: [currency, money.currency],
    },
    'A network reports another amount for a payout than before; a person must look',
  )
  return before
}

async function moveMoney(
  tx: Transaction,
  feed: Feed,
  payout: Payout,
  move: { from: PayoutState | undefined; place: number; at: Date },
): Promise<void> {
  const [from, to] = [holderOf(move.from), holderOf(payout.state)]
  if (from === to) return
  const { id, amount_minor: amount, currency } = payout
  const source = `payout:${id}/${move.place}`
  await addEntries(tx, feed, [{ source, currency, at: move.at, [from]: -amount, [to]: amount }])
}

/** All lines are here: a difference to the amount becomes a line of its own, and a person is told. */
export async function completeLines(payouts: Payouts, feed: Feed, { reference }: Payout): Promise<void> {
  const now = payouts.now()
  await inTransaction(payouts.db, async (tx) => {
    await lockFeed(tx, feed)
    const { merchant_id: merchantId, account_id: accountId } = feed
    const payout = await lockByReference(tx, { merchantId, accountId, reference })
    if (payout?.lines !== 'waiting') return
    const key = { merchantId, payoutId: payout.id }
    const reported = await sumLines(tx, key)
    const difference = payout.amount_minor - (reported.gross_minor - reported.fee_minor - reported.tax_minor)
    if (difference !== 0n) {
      const line = differenceLine(payout, difference)
      await writeLines(tx, feed, [line])
      await addEntries(tx, feed, [entryOf(line)])
    }
    const { count, ...sums } = difference === 0n ? reported : await sumLines(tx, key)
    const lines = { lines: 'copied' as const, line_count: count, difference_minor: difference, ...sums }
    const complete = await setLines(tx, payout, lines, now)
    if (difference !== 0n) await notifyOfDifference(payouts, tx, complete)
  })
}

function differenceLine(payout: Payout, difference: bigint): NewLine {
  const at = new Date(payout.made_at)
  return {
    reference: `difference:${payout.reference}`,
    mode: payout.mode,
    kind: 'difference',
    type: 'difference',
    currency: payout.currency,
    gross_minor: difference,
    fee_minor: 0n,
    tax_minor: 0n,
    net_minor: difference,
    original_minor: null,
    original_currency: null,
    exchange_rate: null,
    charge_reference: null,
    refund_reference: null,
    booked_at: at,
    available_at: at,
    payout_id: payout.id,
    number: null,
    refund_id: null,
  }
}

/** The network keeps no list for this payout. */
export async function markUntold(payouts: Payouts, feed: Feed, { reference }: Payout): Promise<void> {
  await inTransaction(payouts.db, async (tx) => {
    await lockFeed(tx, feed)
    const { merchant_id: merchantId, account_id: accountId } = feed
    const payout = await lockByReference(tx, { merchantId, accountId, reference })
    if (payout?.lines !== 'waiting') return
    const none = { line_count: 0, gross_minor: 0n, fee_minor: 0n, tax_minor: 0n, difference_minor: 0n }
    await setLines(tx, payout, { lines: 'untold', ...none }, payouts.now())
  })
}
