import type { DisputeStatus } from '../../core/networks/connector.ts'
import { findCharge } from '../../core/payments/disputed/find-charge.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { askAboutDispute, isOfForm, type AskedDispute } from './ask-network.ts'
import { settleReply, takeOverMs } from './replies/settle-reply.ts'
import { checkSoon, drawAsk, findByReference, type DisputeRow } from './store.ts'
import { openDispute, recordAnswer } from './record-answer.ts'

// Somebody said that there is something new about a dispute: a callback, or the schedule. That alone changes nothing, may be
// forged, late, repeated or out of order: the network is asked, and its answer counts.

/** not_ours: about nothing of ours. no_answer: to be asked again. */
export type CheckResult = 'asked' | 'not_ours' | 'no_answer'

export async function checkReportedDispute(paying: Paying, asked: AskedDispute): Promise<CheckResult> {
  const known = await findKnown(paying, asked)
  if (known) return askAgain(paying, known)
  const answer = await askAboutDispute(paying, asked)
  if (answer.kind === 'no_answer') return 'no_answer'
  if (answer.kind === 'no_such_dispute') return 'not_ours'
  return meet(paying, asked, answer.status)
}

/** Asks about a dispute that is known, and writes down what the network says. */
export async function askAgain(paying: Paying, dispute: DisputeRow): Promise<CheckResult> {
  const key = { merchantId: dispute.merchant_id, id: dispute.id }
  const isSettled = await settleReply(paying, dispute)
  const ask = await drawAsk(paying.db, key)
  const { merchantId } = key
  const { connector, account_id: accountId, reference } = dispute
  const answer = await askAboutDispute(paying, { merchantId, connector, accountId, reference })
  if (answer.kind === 'no_answer') return 'no_answer'
  if (answer.kind === 'no_such_dispute') {
    paying.log.warn({ ...key, connector }, "A network doesn't know a dispute it reported")
    return 'not_ours'
  }
  await recordAnswer(paying, dispute, { ask, status: answer.status })
  if (!isSettled) await checkSoon(paying.db, key, new Date(paying.now().getTime() + takeOverMs))
  return 'asked'
}

async function findKnown(paying: Paying, asked: AskedDispute): Promise<DisputeRow | undefined> {
  const { merchantId, connector, reference } = asked
  return merchantId === 0 ? undefined : findByReference(paying.db, merchantId, { connector, reference })
}

/** The first report of this dispute. */
async function meet(paying: Paying, asked: AskedDispute, status: DisputeStatus): Promise<CheckResult> {
  const merchantId = asked.merchantId === 0 ? (status.order?.merchantId ?? 0) : asked.merchantId
  if (merchantId === 0) return 'not_ours'
  const { connector } = asked
  const accountId = isOfForm(paying, connector) ? null : asked.accountId
  const found = await findCharge(paying.db, { merchantId, connector, accountId }, status)
  if (found.kind === 'not_yet') return 'no_answer'
  if (found.kind === 'not_ours') return 'not_ours'
  const ours = { ...asked, merchantId }
  if (await openDispute(paying, { asked: ours, number: found.number, status })) return 'asked'
  // Somebody else was faster, and may have heard something newer.
  const known = await findKnown(paying, ours)
  return known ? askAgain(paying, known) : 'no_answer'
}
