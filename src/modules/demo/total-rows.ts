import { stamp } from './payment-rows.ts'
import type { DemoRows } from './rows.ts'
import type { DemoPayment } from './story.ts'
import { feeOf } from '../../platform/money/money.ts'
import type { Shop } from './payment-rows.ts'

// Daily totals, by quarter of an hour. A rebuild would make the same ones, but takes half a minute on tables that
// PostgreSQL has no statistics about yet.

const quarterMs = 15 * 60_000

type Totals = {
  paid: number
  paid_minor: bigint
  fee_minor: bigint
  unpaid: number
  refunds: number
  refunded_minor: bigint
  reversed: number
  reversed_minor: bigint
}

export function writeTotals(rows: DemoRows, shop: Shop, payments: readonly DemoPayment[]): void {
  const all = new Map<string, Totals & { readonly currency: string; readonly at: number }>()
  const at = (moment: Date, currency: string): Totals => {
    const quarter = Math.floor(moment.getTime() / quarterMs) * quarterMs
    const name = `${quarter} ${currency}`
    const found = all.get(name) ?? { ...nothing, currency, at: quarter }
    all.set(name, found)
    return found
  }
  for (const { end, refunds, dispute, currency, amountMinor } of payments) {
    if (!end) continue
    const ended = at(end.at, currency)
    if (end.event !== 'paid') {
      ended.unpaid += 1
      continue
    }
    ended.paid += 1
    ended.paid_minor += amountMinor
    ended.fee_minor += feeOf(amountMinor, shop.fee)
    for (const refund of refunds) {
      const day = at(refund.at, currency)
      day.refunds += 1
      day.refunded_minor += refund.amountMinor
    }
    if (!dispute || dispute.decided?.as === 'won') continue
    const taken = at(dispute.openedAt, currency)
    taken.reversed += 1
    taken.reversed_minor += amountMinor
  }
  for (const { at: quarter, ...totals } of all.values()) {
    const moment = new Date(quarter)
    const minute = moment.getUTCHours() * 60 + moment.getUTCMinutes()
    rows.add('daily_totals', { ...totals, mode: 'test', day: stamp(moment).slice(0, 10), minute })
  }
}

const nothing: Totals = {
  paid: 0,
  paid_minor: 0n,
  fee_minor: 0n,
  unpaid: 0,
  refunds: 0,
  refunded_minor: 0n,
  reversed: 0,
  reversed_minor: 0n,
}
