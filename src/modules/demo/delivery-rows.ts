import { deliveriesOf, type Announcement } from '../../core/notifications/announce.ts'
import { receiverOf } from '../../core/notifications/receiver-of.ts'
import type { LockedPayment } from '../../core/payments/disputed/apply-dispute.ts'
import { announcementOf } from '../../core/payments/transition.ts'
import { refundJson } from '../refunds/present.ts'
import { callbackUrl, stamp, type Shop, type Snapshot } from './payment-rows.ts'
import type { Chance } from './random.ts'
import type { DemoRows } from './rows.ts'

// What the shop's server was sent, and what customers were mailed. One afternoon the server was down.

const dayMs = 86_400_000
const triesMax = 10
/** Older mail would be deleted soon. */
const mailDays = 60

export type Outage = { readonly from: Date; readonly to: Date }

export function outageOf(now: Date): Outage {
  const day = Math.floor(now.getTime() / dayMs) * dayMs - 24 * dayMs
  return { from: new Date(day + 13 * 3_600_000), to: new Date(day + 15 * 3_600_000) }
}

export function writeReceiver(rows: DemoRows, { to }: Outage): void {
  const known = { mode: 'test', origin: receiverOf(callbackUrl), failing_since: null, paused_at: null }
  rows.add('receivers', { ...known, last_failed_at: stamp(to) })
}

export function writeDeliveries(
  rows: DemoRows,
  shop: Shop,
  told: readonly Snapshot[],
  { chance, outage, now }: { readonly chance: Chance; readonly outage: Outage; readonly now: Date },
): void {
  for (const snapshot of told) {
    const { at } = snapshot
    for (const delivery of deliveriesOf(announcementAt(shop, snapshot))) {
      const { merchant_id: _, ...columns } = delivery
      const isMail = delivery.kind === 'mail'
      if (isMail && at.getTime() < now.getTime() - mailDays * dayMs) continue
      // Without an address nothing is sent, and nobody would look for it.
      if (!isMail && delivery.target === '') continue
      const tries = isMail ? [] : triesOf(chance, at, outage)
      const last = tries.at(-1)
      const state = isMail ? 'kept' : last?.status === 200 ? 'delivered' : 'failed'
      rows.add('deliveries', {
        ...columns,
        state,
        tries: tries.length,
        created_at: stamp(at),
        finished_at: last ? stamp(last.at) : null,
      })
      for (const [index, one] of tries.entries())
        rows.add('delivery_attempts', {
          delivery_id: delivery.id,
          attempt: index + 1,
          at: stamp(one.at),
          ms: one.ms,
          status: one.status,
        })
    }
  }
}

function announcementAt(shop: Shop, { event, row, refund }: Snapshot): Announcement {
  const announcement = announcementOf(row as LockedPayment, event, shop.baseUrl)
  if (!refund) return announcement
  const at = stamp(refund.at)
  const shown = {
    ...row,
    refund_ref: refund.ref,
    state: 'succeeded',
    amount_minor: refund.amountMinor,
    fee_returned_minor: 0n,
    reason: refund.reason,
    created_at: at,
    updated_at: at,
  }
  return {
    ...announcement,
    dataJson: refundJson(shown as unknown as Parameters<typeof refundJson>[0]),
    customer: {
      ...announcement.customer,
      refundedMinor: refund.amountMinor,
      refundRef: refund.ref,
      reason: refund.reason ?? undefined,
    },
  }
}

type Try = { readonly at: Date; readonly ms: number; readonly status: number }

function triesOf(chance: Chance, from: Date, outage: Outage): Try[] {
  const upAt = from >= outage.from && from < outage.to ? outage.to : from
  const tries: Try[] = []
  let at = from
  let waitMs = 5_000
  while (at < upAt && tries.length < triesMax - 1) {
    tries.push({ at, ms: chance.between(40, 300), status: 503 })
    waitMs *= 5
    at = new Date(at.getTime() + waitMs)
  }
  tries.push({ at, ms: chance.between(60, 420), status: 200 })
  return tries
}
