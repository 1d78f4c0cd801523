import type { Database } from '../../platform/database/database.ts'
import type { DisputeReplies, DisputeReply, ReplyResult } from '../networks/dispute-replies.ts'
import { courseOf, findDisputedCharge } from './disputes.ts'
import { takeReply } from './dispute-store.ts'

// Answers to disputes at the test network, which reads the texts for one word and looks at no file.

/** A text that has it wins the dispute, as at Stripe in test mode. */
export const winningText = 'winning_evidence'

export function disputeReplies(db: Database, merchantId: number, now: () => Date): DisputeReplies {
  return {
    async reply(reply, signal) {
      signal.throwIfAborted()
      return takeOnce(db, merchantId, reply, now())
    },
    async fetchReply({ disputeReference, idempotencyKey }, signal) {
      signal.throwIfAborted()
      const charge = await findDisputedCharge(db, merchantId, disputeReference)
      return { kind: charge?.reply_key === idempotencyKey ? 'sent' : 'not_sent' }
    },
  }
}

async function takeOnce(
  db: Database,
  merchantId: number,
  reply: DisputeReply,
  at: Date,
): Promise<ReplyResult> {
  const charge = await findDisputedCharge(db, merchantId, reply.disputeReference)
  if (!charge || at < courseOf(charge).opens) return { kind: 'refused', why: 'There is no such dispute' }
  const taken = { reply: wordOf(reply), replied_at: at.toISOString() }
  if (charge.reply === null && at >= courseOf(charge).decided)
    return { kind: 'refused', why: 'The dispute is already decided' }
  const tellAt = courseOf({ ...charge, ...taken }).decided
  const { reference } = charge
  const key = await takeReply(
    db,
    { merchantId, reference },
    { key: reply.idempotencyKey, reply: taken.reply, at, tellAt },
  )
  return key === reply.idempotencyKey
    ? { kind: 'sent' }
    : { kind: 'refused', why: 'The dispute was already answered' }
}

function wordOf({ kind, evidence }: DisputeReply): 'wins' | 'loses' | 'accepts' {
  if (kind === 'acceptance') return 'accepts'
  return Object.values(evidence.texts).some((text) => text.includes(winningText)) ? 'wins' : 'loses'
}
