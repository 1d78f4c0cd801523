import type { Database } from '../../database/database.ts'
import { brokenRule, Refusal } from '../../errors/refusals.ts'
import type { Fields } from '../../input/fields.ts'
import { formatAmount } from '../../money/money.ts'
import { publicStatus } from '../state-machine.ts'
import type { ListFilter } from '../store.ts'
import { sumPayments, type ListTotalRow } from './list-totals-store.ts'

// A list's totals, per currency and status. Every payment of the list is read, so both the number of payments and of
// concurrent callers are limited.

export const paymentsCountedMax = 100_000
/** Per merchant and server. */
const atOnceMax = 2

export type ListTotal = {
  readonly currency: string
  readonly status: string
  readonly count: number
  readonly amount: string
  readonly amount_minor: number
  readonly charge: string
  readonly charge_minor: number
  readonly refunded: string
  readonly refunded_minor: number
}

type Filter = Omit<ListFilter, 'after' | 'limit'>

export type SumList = (filter: Filter) => Promise<ListTotal[]>

export function makeSumList(db: Database, countedMax = paymentsCountedMax): SumList {
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
      const rows = await sumPayments(db, filter, countedMax + 1)
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

function shown({ currency, state, payments, ...minor }: ListTotalRow): ListTotal {
  return {
    currency,
    status: publicStatus[state],
    count: payments,
    amount: formatAmount(minor.amount_minor, currency),
    amount_minor: Number(minor.amount_minor),
    charge: formatAmount(minor.charge_minor, currency),
    charge_minor: Number(minor.charge_minor),
    refunded: formatAmount(minor.refunded_minor, currency),
    refunded_minor: Number(minor.refunded_minor),
  }
}
