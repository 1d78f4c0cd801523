import type { Account, DisputeStatus } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { ask, bodyOf, list, memberOf, type GoCardlessWay } from './client.ts'
import { moneyOf } from './money.ts'

// A debit that comes back after it was paid: the customer asked their bank for the money, or the bank was late to say no.
// Nobody is asked for evidence, so it is a dispute that is lost at once. It is known by the name of its payment.

/** Undefined: it never came back, or was never paid before. */
export async function fetchDispute(
  way: GoCardlessWay,
  account: Account,
  paymentId: string,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  const body = bodyOf(await ask(way, account, { path: `/payments/${encodeURIComponent(paymentId)}` }, signal))
  if (!body) return undefined
  const payment = memberOf(body, 'payments')
  const actions = new Map<string, string>()
  for await (const { action, details } of list(way, account, 'events', { payment: payment.id }, signal))
    if (!actions.has(action)) actions.set(action, details?.cause ?? action)
  const isBack = payment.status === 'charged_back' || payment.status === 'failed'
  const back = ['charged_back', 'failed'].find((action) => actions.has(action))
  if (!actions.has('confirmed') || back === undefined) return undefined
  return {
    kind: isBack ? 'lost' : 'won',
    moneyTaken: isBack,
    disputeReference: payment.id,
    chargeReference: payment.id,
    money: moneyOf(payment),
    reason: actions.get(back) ?? back,
    order: readMetadata(payment.metadata),
  }
}

export async function* disputesSince(
  way: GoCardlessWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<string> {
  for (const action of ['charged_back', 'late_failure_settled', 'chargeback_cancelled']) {
    const filter = { resource_type: 'payments', action, 'created_at[gte]': since.toISOString() }
    for await (const { links } of list(way, account, 'events', filter, signal))
      if (links?.payment !== undefined) yield links.payment
  }
}
