import { recordAct, type Actor } from '../../../core/audit/audit.ts'
import type { Evidence } from '../../../core/networks/dispute-replies.ts'
import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { MadeBefore } from '../../../platform/errors/made-before.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { askNetwork } from '../../../core/payments/attempts/ask-network.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import { askAgain } from '../check-reported-dispute.ts'
import { checkSoon, lockDispute, type DisputeKey, type DisputeRow } from '../store.ts'
import { repliesTo, takesReplies } from './network-replies.ts'
import { endReply, insertReply, listReplies, listRepliesOf, type ReplyRow } from './reply-store.ts'
import { askAboutReply, takeOverMs } from './settle-reply.ts'

// The merchant's answer to a dispute. That it was asked for is committed before the network is called, with who did it; the
// evidence itself is passed on and forgotten.

export type { ReplyRow }

export type NewReply = {
  /** Drawn by the form: one that is sent twice answers once. */
  readonly id: string
  readonly kind: ReplyRow['kind']
  readonly evidence: Evidence
}

/** unknown: the network did not answer, and is asked about it until it does. */
export type ReplyEnd =
  | { readonly kind: 'sent' | 'not_sent' | 'unknown' }
  | { readonly kind: 'refused'; readonly why: string }

/** Some megabytes take longer than a charge. */
const sendLimitMs = 60_000
const failureLength = 500

/** Throws MadeBefore if this reply was made before, and Refusal if the dispute can't be answered. */
export async function answerDispute(
  paying: Paying,
  key: DisputeKey,
  reply: NewReply,
  by: Actor,
): Promise<ReplyEnd> {
  const dispute = await writeDown(paying, key, reply, by)
  const { reference: disputeReference } = dispute
  const { id: idempotencyKey, kind, evidence } = reply
  const result = await askNetwork(
    paying.log,
    async (signal) => {
      const replies = await repliesTo(paying, dispute)
      return replies.reply({ kind, disputeReference, idempotencyKey, evidence }, signal)
    },
    sendLimitMs,
  )
  const end = result.kind === 'no_answer' ? await findOut(paying, dispute, reply) : result
  if (end.kind === 'sent' || end.kind === 'refused') {
    const failure = end.kind === 'refused' ? { failure: end.why.slice(0, failureLength) } : {}
    await endReply(
      paying.db,
      { merchantId: key.merchantId, id: reply.id },
      { state: end.kind, ...failure, at: paying.now() },
    )
  }
  // The network may have decided at once, and the page that follows should show it.
  if (end.kind !== 'unknown') await askAgain(paying, dispute)
  return end
}

async function writeDown(paying: Paying, key: DisputeKey, reply: NewReply, by: Actor): Promise<DisputeRow> {
  const now = paying.now()
  const { kind, id, evidence } = reply
  const parts = [...Object.keys(evidence.texts), ...evidence.files.map(({ field }) => field)]
  return inTransaction(paying.db, async (tx) => {
    const dispute = await lockDispute(tx, key)
    if (!dispute) throw new Refusal('not_found', 'Dispute not found')
    const before = await listReplies(tx, key)
    if (before.some((one) => one.id === id)) throw new MadeBefore()
    const reason = takesReplies(paying, dispute.connector)
      ? whyNotAnswerable(dispute, before, now)
      : 'This network takes no answers from Florin'
    if (reason !== undefined) throw new Refusal('validation_failed', reason)
    await insertReply(tx, key, { id, kind, parts, actor: by.name }, now)
    await checkSoon(tx, key, new Date(now.getTime() + takeOverMs))
    await recordAct(tx, key.merchantId, by, {
      action: kind === 'evidence' ? 'dispute.answered' : 'dispute.accepted',
      subject: dispute.tx_ref,
      after: { mode: dispute.mode, dispute: dispute.id, ...(kind === 'evidence' && { parts }) },
    })
    return dispute
  })
}

async function findOut(paying: Paying, dispute: DisputeRow, reply: NewReply): Promise<ReplyEnd> {
  if (!(await askAboutReply(paying, dispute, reply))) return { kind: 'unknown' }
  const key = { merchantId: dispute.merchant_id, id: dispute.id }
  const stored = (await listReplies(paying.db, key)).find(({ id }) => id === reply.id)
  return { kind: stored?.state === 'sent' ? 'sent' : 'not_sent' }
}

/** Undefined: it can be answered now. */
export function whyNotAnswerable(
  dispute: Pick<DisputeRow, 'state' | 'evidence_due_at' | 'updated_at'>,
  replies: readonly Pick<ReplyRow, 'state' | 'ended_at'>[],
  now: Date,
): string | undefined {
  if (dispute.state !== 'evidence_due') return 'This dispute needs no answer now'
  if (replies.some(({ state }) => state === 'requested'))
    return 'Your earlier answer is on its way: the network hasn’t confirmed it yet. Try again in a few minutes'
  const isAnswered = replies.some(
    ({ state, ended_at }) => state === 'sent' && Date.parse(ended_at ?? '') >= Date.parse(dispute.updated_at),
  )
  if (isAnswered) return 'This dispute has been answered. The network confirms it in a moment'
  if (dispute.evidence_due_at !== null && Date.parse(dispute.evidence_due_at) <= now.getTime())
    return 'The time to answer this dispute is over'
  return undefined
}

/** Of disputes of one merchant, newest first. */
export async function repliesOf(
  db: Database,
  merchantId: number,
  disputes: readonly Pick<DisputeRow, 'id'>[],
): Promise<readonly ReplyRow[]> {
  return disputes.length === 0
    ? []
    : listRepliesOf(
        db,
        merchantId,
        disputes.map(({ id }) => id),
      )
}
