import type { Database } from '../../platform/database/database.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { readNotReported, type NotReported } from '../../core/payments/daily-totals/not-reported.ts'
import { listFeeds } from './ask/feed-store.ts'
import { listBalances } from './ledger/ledger-store.ts'
import { sumPending } from './line-store.ts'
import { presentAmount } from './present.ts'
import { refusedPayouts } from './refused-payouts.ts'

export type Balance = {
  readonly accountId: string
  readonly connector: string
  readonly currency: string
  /** The network holds it and may not pay it out yet. */
  readonly pendingMinor: bigint
  /** The network may pay it out. */
  readonly availableMinor: bigint
  /** The bank refused it or sent it back; the network counts it as available. */
  readonly refusedMinor: bigint
  readonly onItsWayMinor: bigint
  readonly arrivedMinor: bigint
  /** How much more the network's own figure had, when they were last compared. */
  readonly differenceMinor: bigint
  readonly comparedAt: string | null
  /** Since when the network has not answered. */
  readonly failingSince: string | null
}

export async function readBalances(
  db: Database,
  of: { readonly merchantId: number; readonly mode: Mode },
  now: Date,
): Promise<readonly Balance[]> {
  const [rows, feeds] = [await listBalances(db, of), await listFeeds(db, of)]
  if (rows.length === 0) return []
  const [pending, refused] = [await sumPending(db, of.merchantId, now), await refusedPayouts(db, of)]
  return rows.map((row) => {
    const feed = feeds.find(({ account_id }) => account_id === row.account_id)
    const waiting = pending.find(
      ({ account_id, currency }) => account_id === row.account_id && currency === row.currency,
    )
    const pendingMinor = waiting?.pending_minor ?? 0n
    const refusedMinor = refused
      .filter(({ account_id, currency }) => account_id === row.account_id && currency === row.currency)
      .reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
    return {
      accountId: row.account_id,
      connector: row.connector,
      currency: row.currency,
      pendingMinor,
      availableMinor: row.held_minor - pendingMinor,
      refusedMinor,
      onItsWayMinor: row.on_its_way_minor,
      arrivedMinor: row.arrived_minor,
      differenceMinor: row.difference_minor ?? 0n,
      comparedAt: feed?.compared_at ?? null,
      failingSince: feed?.failing_since ?? null,
    }
  })
}

export function presentBalance(balance: Balance) {
  const { currency } = balance
  const both = (name: string, minor: bigint) => ({
    [name]: presentAmount(minor, currency),
    [`${name}_minor`]: Number(minor),
  })
  return {
    network: balance.connector,
    account: balance.accountId,
    currency,
    ...both('pending', balance.pendingMinor),
    ...both('available', balance.availableMinor),
    ...both('on_its_way', balance.onItsWayMinor),
    ...both('arrived', balance.arrivedMinor),
    difference_minor: Number(balance.differenceMinor),
    compared_at: balance.comparedAt,
  }
}

/** Paid payments that no network has booked: they are in no balance. */
export async function readOutside(
  db: Database,
  of: { readonly merchantId: number; readonly mode: Mode },
): Promise<readonly NotReported[]> {
  return readNotReported(db, { ...of, from: '-infinity', to: 'infinity' })
}

export function presentOutside({ currency, networks, payments, amountMinor, isWhole }: NotReported) {
  return {
    currency,
    networks,
    payments,
    amount: presentAmount(amountMinor, currency),
    amount_minor: Number(amountMinor),
    complete: isWhole,
  }
}
