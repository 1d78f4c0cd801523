import type { DisputeMail } from './mail/dispute-email.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Outbox } from '../../core/notifications/outbox.ts'
import { warnMerchant } from '../../core/notifications/warn-merchant.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import type { LockedPayment } from '../../core/payments/disputed/apply-dispute.ts'
import { lossOf, describeLoss } from '../../core/payments/disputed/loss.ts'
import { takesReplies } from './replies/network-replies.ts'
import type { DisputeEvent } from './state-machine.ts'
import type { DisputeRow } from './store.ts'

const templates = {
  'dispute.opened': 'dispute_opened',
  'dispute.won': 'dispute_won',
  'dispute.lost': 'dispute_lost',
} as const

/** A mail that says what happened, and what to do until when. */
export async function notifyMerchant(
  { outbox, connectors }: Pick<Paying, 'connectors'> & { readonly outbox: Outbox },
  tx: Transaction,
  event: DisputeEvent,
  { dispute, payment }: { readonly dispute: DisputeRow; readonly payment: LockedPayment },
): Promise<void> {
  const { merchant_id: merchantId, mode } = dispute
  await warnMerchant(outbox, tx, { merchantId, mode }, event, {
    template: templates[event],
    network: dispute.connector,
    isAnsweredHere: takesReplies({ connectors }, dispute.connector),
    reason: dispute.reason,
    evidenceDueAt: dispute.state === 'evidence_due' ? dispute.evidence_due_at : null,
    moneyTaken: dispute.money_taken,
    loss: describeLoss(lossOf(payment)) ?? null,
    amountMinor: String(dispute.amount_minor),
    currency: dispute.currency,
    reference: payment.reference,
    txRef: payment.tx_ref,
  } satisfies DisputeMail)
}
