import { askNetwork } from '../../../core/payments/attempts/ask-network.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import type { DisputeRow } from '../store.ts'
import { repliesTo } from './network-replies.ts'
import { endReply, listReplies, type ReplyRow } from './reply-store.ts'

// A reply whose answer was lost: the process died, or the network did not answer. It is never sent again, as nothing of it is
// kept; the network is asked whether it arrived.

/** Longer than sending takes at most: until then whoever sends it ends it. */
export const takeOverMs = 120_000

/** False: it is not known yet what became of a reply, so it must be asked about again. */
export async function settleReply(paying: Paying, dispute: DisputeRow): Promise<boolean> {
  const key = { merchantId: dispute.merchant_id, id: dispute.id }
  const open = (await listReplies(paying.db, key)).find(({ state }) => state === 'requested')
  if (!open) return true
  if (paying.now().getTime() - Date.parse(open.requested_at) < takeOverMs) return false
  return askAboutReply(paying, dispute, open)
}

export async function askAboutReply(
  paying: Paying,
  dispute: DisputeRow,
  { id, kind }: Pick<ReplyRow, 'id' | 'kind'>,
): Promise<boolean> {
  const found = await askNetwork(paying.log, async (signal) => {
    const replies = await repliesTo(paying, dispute)
    return replies.fetchReply({ kind, disputeReference: dispute.reference, idempotencyKey: id }, signal)
  })
  if (found.kind === 'no_answer') return false
  const at = paying.now()
  await endReply(paying.db, { merchantId: dispute.merchant_id, id }, { state: found.kind, at })
  return true
}
