import type { Account, DisputeStatus } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { ask, dataOf, isMissing, list, moneyOf, name, objectOf, type PaystackWay } from './client.ts'
import { readText } from './metadata.ts'
import type { Resources } from './resources.ts'

// The merchant has a day or so to answer; who doesn't has accepted. Paystack takes the money when a dispute is accepted.

export async function fetchDispute(
  way: PaystackWay,
  account: Account,
  disputeReference: string,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  const answer = await ask(way, account, { path: `/dispute/${encodeURIComponent(disputeReference)}` }, signal)
  if (isMissing(answer)) return undefined
  const dispute = objectOf(dataOf(answer)) as Resources['dispute']
  const { transaction, dueAt, category } = dispute
  const reference = transaction?.reference
  if (reference === undefined) throw new NoAnswer(name, 'its dispute names no transaction')
  const kind = kindOf(dispute)
  return {
    kind,
    moneyTaken: kind === 'lost',
    disputeReference: String(dispute.id),
    chargeReference: reference,
    money: moneyOf(dispute.refund_amount ?? transaction?.amount, dispute.currency ?? transaction?.currency),
    reason: category ?? 'chargeback',
    evidenceDueAt: typeof dueAt === 'string' ? new Date(dueAt) : undefined,
    order: { ...readMetadata(readText(transaction?.metadata)), idempotencyKey: reference },
  }
}

function kindOf({ status, resolution }: Resources['dispute']): DisputeStatus['kind'] {
  if (status === 'awaiting-merchant-feedback') return 'evidence_due'
  if (status !== 'resolved') return 'under_review'
  // `declined` is the claim; an end that we don't know is none.
  if (resolution === 'declined') return 'won'
  return resolution?.endsWith('accepted') ? 'lost' : 'under_review'
}

export async function* disputesSince(
  way: PaystackWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<string> {
  const from = since.toISOString()
  for await (const { id } of list<'dispute'>(way, account, '/dispute', { from }, signal)) yield String(id)
}
