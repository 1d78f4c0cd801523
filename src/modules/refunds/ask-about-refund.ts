import { applyStatus, refundKey } from './apply-status.ts'
import type { Refunding } from './refunding.ts'
import { callNetwork } from './send-refund.ts'
import { findById, findByReference, type RefundRow } from './store.ts'

/** What a callback said to look up; either is enough. */
export type RefundHint = {
  readonly merchantId: number
  readonly idempotencyKey?: string | undefined
  readonly refundReference?: string | undefined
}

/** `no_answer`: the network didn't answer; the caller should ask again. */
export type AskedRefund = 'asked' | 'not_found' | 'no_answer'

/**
 * Asks the network about a refund and applies what it says. The hint itself decides nothing: forged, repeated, late or out
 * of order, all it can do is make us ask. One that ended is asked about too: what succeeded may have come back.
 */
export async function askAboutRefund(refunding: Refunding, hint: RefundHint): Promise<AskedRefund> {
  const refund = await findMeant(refunding, hint)
  if (!refund) return 'not_found'
  // Not sent yet: then the hint is not about it, and a worker sends it.
  if (refund.sent_at === null) return 'asked'
  const status = await callNetwork(refunding, refund)
  if (status.kind === 'no_answer') return 'no_answer'
  await applyStatus(refunding, refundKey(refund), status)
  return 'asked'
}

async function findMeant({ db }: Refunding, hint: RefundHint): Promise<RefundRow | undefined> {
  const { merchantId, idempotencyKey, refundReference } = hint
  const byKey =
    idempotencyKey === undefined ? undefined : await findById(db, { merchantId, id: idempotencyKey })
  if (byKey || refundReference === undefined) return byKey
  return findByReference(db, merchantId, refundReference)
}
