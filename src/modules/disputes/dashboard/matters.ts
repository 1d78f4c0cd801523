import { disputesToAnswer, losingUnderReview } from '../list-disputes.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { describeLoss } from '../../../core/payments/disputed/loss.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import type { Matter } from '../../../dashboard/slots.ts'

// Disputes that need attention on Home.

type Scope = { readonly merchantId: number; readonly mode: 'test' | 'live' }

export async function disputeMatters(ask: MemberAsk): Promise<Matter[]> {
  const { merchant, mode, role } = ask.place
  if (!hasRight(role, 'payments.view')) return []
  const of = { merchantId: merchant.id, mode }
  const found = await Promise.all([toAnswer(ask, of), losing(ask, of)])
  return found.flat()
}

async function toAnswer(ask: MemberAsk, of: Scope): Promise<Matter[]> {
  const disputes = await disputesToAnswer(ask.core.db, of, 3)
  return disputes.map(({ id, evidence_due_at: due, amount_minor, currency, tx_ref, loss }) => ({
    tone: 'warn',
    title: `${displayAmount(amount_minor, currency, 'en-GB')} disputed: ${tx_ref}`,
    detail: [
      describeLoss(loss),
      due === null
        ? 'The bank is waiting for your evidence.'
        : `Evidence is due by ${formatExactly(new Date(due), shopTime(ask))}.`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    to: `${ask.place.home}/disputes/${id}`,
    action: 'View dispute',
  }))
}

async function losing(ask: MemberAsk, of: Scope): Promise<Matter[]> {
  const disputes = await losingUnderReview(ask.core.db, of)
  return disputes.slice(0, 3).map(({ id, tx_ref, loss }) => ({
    tone: 'warn',
    title: `Refunded and disputed: ${tx_ref}`,
    detail: `${describeLoss(loss)} The bank has your evidence and is deciding.`,
    to: `${ask.place.home}/disputes/${id}`,
    action: 'View dispute',
  }))
}
