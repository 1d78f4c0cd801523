import type { Database } from '../../../platform/database/database.ts'
import { brokenRule, Refusal } from '../../../platform/errors/refusals.ts'
import type { Fields } from '../../../platform/input/fields.ts'
import { netOf } from '../../../platform/money/money-words.ts'
import { formatAmount } from '../../../platform/money/money.ts'
import { publicStatus, wasPaid } from '../state-machine.ts'
import type { ListFilter } from '../store.ts'
import type { FeesOfFound } from '../slots/fees.ts'
import { sumPayments, type ListTotalRow } from './list-totals-store.ts'

// A list's totals, per currency and status. Every payment of the list is read, so both the number of payments and of
// concurrent callers are limited.

export const paymentsCountedMax = 100_000
/** Per merchant and server. */
const atOnceMax = 2

type AmountName =
  | 'amount'
  | 'charge'
  | 'refunded'
  | 'gross'
  | 'refunds'
  | 'disputes'
  | 'network_fees'
  | 'net'
  | 'fees_not_reported'

export type ListTotal = {
  readonly currency: string
  readonly status: string
  readonly count: number
  readonly fees_not_reported_count: number
} & Readonly<Record<AmountName, string> & Record<`${AmountName}_minor`, number>>

type Filter = Omit<ListFilter, 'after' | 'limit'>

export type SumList = (filter: Filter) => Promise<ListTotal[]>

export function makeSumList(
  db: Database,
  feesOfFound: FeesOfFound | undefined,
  countedMax = paymentsCountedMax,
): SumList {
  const running = new Map<number, number>()

  return async (filter) => {
    const { merchantId } = filter
    const before = running.get(merchantId) ?? 0
    if (before >= atOnceMax)
      throw new Refusal(
        'rate_limited',
        'Another totals request of yours is still running, try again in 1 second',
        {
          headers: { 'retry-after': '1' },
        },
      )
    running.set(merchantId, before + 1)
    try {
      const rows = await sumPayments(db, filter, feesOfFound, countedMax + 1)
      const counted = rows.reduce((sum, { payments }) => sum + payments, 0)
      if (counted > countedMax) throw brokenRule('totals', tooMany(countedMax))
      return rows.map(shown)
    } finally {
      const left = (running.get(merchantId) ?? 1) - 1
      if (left > 0) running.set(merchantId, left)
      else running.delete(merchantId)
    }
  }
}

function tooMany(countedMax: number): string {
  const most = countedMax.toLocaleString('en')
  return `totals covers at most ${most} payments: narrow the list with created_from and created_to`
}

export function readWantsTotals(fields: Fields): boolean {
  const value = fields.value('totals')
  if (value === undefined || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1') return true
  fields.fail('totals', 'must be true or false')
  return false
}

function shown({ currency, state, payments, not_reported: missing, ...minor }: ListTotalRow): ListTotal {
  const sums = {
    grossMinor: wasPaid({ state }) ? minor.amount_minor : 0n,
    refundsMinor: minor.refunded_minor,
    disputesMinor: minor.disputed_minor,
    networkFeesMinor: minor.network_fees_minor,
  }
  const both = <N extends AmountName>(name: N, amountMinor: bigint) =>
    ({
      [name]: formatAmount(amountMinor, currency),
      [`${name}_minor`]: Number(amountMinor),
    }) as Record<N, string> & Record<`${N}_minor`, number>
  return {
    currency,
    status: publicStatus[state],
    count: payments,
    ...both('amount', minor.amount_minor),
    ...both('charge', minor.charge_minor),
    ...both('refunded', minor.refunded_minor),
    ...both('gross', sums.grossMinor),
    ...both('refunds', sums.refundsMinor),
    ...both('disputes', sums.disputesMinor),
    ...both('network_fees', sums.networkFeesMinor),
    ...both('net', netOf(sums)),
    fees_not_reported_count: missing,
    ...both('fees_not_reported', minor.not_reported_minor),
  }
}
