import type { Queryable } from '../../platform/database/database.ts'
import { findLosses, type Loss } from '../../core/payments/disputed/find-losses.ts'
import type { DisputeRow } from './store.ts'

export type DisputeWithLoss = DisputeRow & {
  /** For its payment as a whole, with all its refunds and disputes. */
  readonly loss: Loss
}

/** Disputes of one merchant, in their order. */
export async function withLosses(
  db: Queryable,
  merchantId: number,
  disputes: readonly DisputeRow[],
): Promise<DisputeWithLoss[]> {
  const losses = await findLosses(
    db,
    merchantId,
    disputes.map(({ number }) => number),
  )
  return disputes.flatMap((dispute) => {
    const loss = losses.get(dispute.number)
    // Its payment was deleted a moment ago, and the dispute with it.
    return loss ? [{ ...dispute, loss }] : []
  })
}
