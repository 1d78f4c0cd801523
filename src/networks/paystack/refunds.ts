import type { Account, RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { ask, dataOf, isMissing, isStranger, list, name, objectOf, type PaystackWay } from './client.ts'
import { toPaystack } from './currencies.ts'
import type { Resources } from './resources.ts'

// Refunds have no idempotency key. Ours stands in the merchant's note, and nothing is sent before the list was read. A request
// that is stuck on the way is in no list yet: after the first try half a minute has to pass before a second one is sent, twice as long as a call may take.

/** Whoever sends first does so at once; a second try comes five seconds later at the earliest. */
const firstTryMs = 4_000
const quietMs = 30_000
/** As long as anybody asks again. */
const askedForMs = 23 * 3_600_000
const clocksDifferMs = 10 * 60_000

export async function refund(
  way: PaystackWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const before = await fetchRefund(way, account, order, signal)
  const ageMs = way.now().getTime() - order.requestedAt.getTime()
  if (before.kind !== 'not_found' || order.refundReference !== undefined || ageMs > askedForMs) return before
  if (ageMs > firstTryMs && ageMs < quietMs)
    throw new NoAnswer(
      name,
      'an earlier request may still be on its way; it is sent again after half a minute',
    )
  const send = {
    transaction: order.chargeReference,
    // In the currency of the transaction: of the currencies that can be named here XOF is none.
    amount: toPaystack(order.amountMinor, order.currency),
    merchant_note: noteOf(order),
  }
  const made = await ask(way, account, { path: '/refund', send }, signal)
  if (made.kind === 'ok') return statusOf(objectOf(dataOf(made)) as Resources['refund'])
  if (isStranger(made)) dataOf(made)
  // An earlier call may have made it meanwhile: that counts, whatever Paystack has against this one.
  const found = await findRefund(way, account, order, signal)
  return found.kind === 'not_found' ? { kind: 'failed', reason: made.code } : found
}

function noteOf({ idempotencyKey }: RefundOrder): string {
  return `florin ${idempotencyKey}`
}

export async function fetchRefund(
  way: PaystackWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  if (order.refundReference === undefined) return findRefund(way, account, order, signal)
  const path = `/refund/${encodeURIComponent(order.refundReference)}`
  const answer = await ask(way, account, { path }, signal)
  return isMissing(answer) ? { kind: 'not_found' } : statusOf(objectOf(dataOf(answer)) as Resources['refund'])
}

/** The list can't be asked for one transaction, so all refunds since then are read. */
async function findRefund(
  way: PaystackWay,
  account: Account,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundStatus> {
  const from = new Date(order.requestedAt.getTime() - clocksDifferMs).toISOString()
  for await (const found of list<'refund'>(way, account, '/refund', { from }, signal)) {
    if (found.merchant_note === noteOf(order)) return statusOf(found)
  }
  return { kind: 'not_found' }
}

/** `needs-attention` waits for the customer's bank details, in Paystack's dashboard. */
function statusOf({ id, status }: Resources['refund']): RefundStatus {
  if (!Number.isSafeInteger(id)) throw new NoAnswer(name, 'its refund has no id')
  const refundReference = String(id)
  if (status === 'processed') return { kind: 'succeeded', refundReference }
  if (status === 'failed') return { kind: 'failed', reason: 'failed', refundReference }
  return { kind: 'submitted', refundReference }
}
