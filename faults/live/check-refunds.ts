import { ask, type Witness } from '../stage.ts'
import { refundsOf } from './world.ts'

// What live networks sent back, by their own books, compared with our tables and with what was acknowledged.

type RefundRow = {
  readonly id: string
  readonly refund_ref: string
  readonly state: string
  readonly amount_minor: string
}

/** I11: one refund per key at the networks, none forgotten, and done here exactly when it was made there. */
export async function liveRefundedOnce({ live, databaseUrl, merchant }: Witness): Promise<string[]> {
  if (!live) return []
  const rows = await ask<RefundRow>(
    databaseUrl,
    `select id, refund_ref, state, amount_minor::text from refunds where merchant_id = $1 and mode = 'live'`,
    [merchant.id],
  )
  const sent = Map.groupBy(refundsOf(live.networks), ({ key }) => key)
  const known = new Set(rows.map(({ refund_ref }) => refund_ref))
  const ours = new Set(rows.map(({ id }) => id))
  return [
    ...[...sent]
      .filter(([, all]) => all.length > 1)
      .map(([key, all]) => `${key}: sent back ${all.length} times`),
    ...[...sent.keys()]
      .filter((key) => !ours.has(key) && !key.startsWith('surplus-'))
      .map((key) => `${key}: a live network sent it back, and nobody knows of it`),
    ...[...live.refundsTold]
      .filter((ref) => !known.has(ref))
      .map((ref) => `${ref}: was acknowledged, and there is no such refund`),
    ...rows.flatMap(({ id, state, amount_minor }) => {
      const minor = sent.get(id)?.[0]?.amountMinor
      const isRight = state === 'succeeded' ? String(minor) === amount_minor : minor === undefined
      const isOver = state === 'succeeded' || state === 'failed'
      return isOver && !isRight ? [`${id}: is ${state}, and the live network sent ${minor ?? 'nothing'}`] : []
    }),
  ]
}
