import type { DisputeStatus } from '../../core/networks/connector.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { randomBase62 } from '../../platform/database/random-id.ts'
import {
  applyDispute,
  lockDisputedPayment,
  type LockedPayment,
} from '../../core/payments/disputed/apply-dispute.ts'
import { isOpen } from '../../core/payments/disputed/dispute-view.ts'
import { sumTaken } from '../../core/payments/disputed/loss.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { warnOfLoss } from '../../core/payments/disputed/warn-of-loss.ts'
import type { AskedDispute } from './ask-network.ts'
import { nextCheckAt } from './check-schedule.ts'
import { storedDispute } from './present.ts'
import { eventOf, mayFollow, type DisputeEvent } from './state-machine.ts'
import {
  insertDispute,
  insertHistory,
  listOfPayment,
  lockDispute,
  updateDispute,
  type DisputeRow,
  type DisputeSnapshot,
} from './store.ts'
import { notifyMerchant } from './notify-merchant.ts'

// The only writer of disputes: the dispute, its payment and the notifications about both are one commit.

const idLength = 24
const reasonMax = 100

/** False if another worker recorded it first; nothing was done then. */
export async function openDispute(
  paying: Paying,
  { asked, number, status }: { asked: AskedDispute; number: string; status: DisputeStatus },
): Promise<boolean> {
  const { merchantId, connector, accountId, reference } = asked
  const now = paying.now()
  return inTransaction(paying.db, async (tx) => {
    const payment = await lockDisputedPayment(tx, { merchantId, number })
    if (!payment) throw new Error('A charge has no payment')
    const { mode, tx_ref } = payment
    const id = `dsp_${randomBase62(idLength)}`
    const named = { id, mode, number, tx_ref, connector, account_id: accountId, reference }
    const standing = standingOf(status, status.kind)
    const at = { now, nextCheckAt: checkAfter(standing, { checks: 0, openedAt: now }, now) }
    const opened = await insertDispute(tx, merchantId, { ...named, ...standing }, at)
    if (!opened) return false
    await insertHistory(tx, opened, now)
    paying.log.warn(
      { merchantId, number, dispute: id, state: opened.state },
      'A customer’s bank disputes a payment',
    )
    await notify(paying, tx, payment, opened, eventOf(undefined, opened.state))
    return true
  })
}

export async function recordAnswer(
  paying: Paying,
  { merchant_id: merchantId, id, number }: DisputeRow,
  { ask, status }: { ask: number; status: DisputeStatus },
): Promise<void> {
  const now = paying.now()
  await inTransaction(paying.db, async (tx) => {
    const payment = await lockDisputedPayment(tx, { merchantId, number })
    const before = await lockDispute(tx, { merchantId, id })
    if (!payment || !before) throw new Error('A dispute or its payment no longer exists')
    // Somebody asked after us and was answered before: what we heard is older.
    if (ask <= before.answered) return
    const isAllowed = mayFollow(before.state, status.kind)
    if (!isAllowed && before.state === 'won') return warnOfContradiction(paying, before, status)
    const standing = standingOf(status, isAllowed ? status.kind : before.state)
    const isNews = !isSame(before, standing)
    const checks = isNews ? 0 : before.checks + 1
    const openedAt = new Date(before.opened_at)
    const next = checkAfter(standing, { checks, openedAt }, now)
    const at = { now, ask, checks, isNews, nextCheckAt: next }
    const after = await updateDispute(tx, { merchantId, id }, standing, at)
    if (isNews) await insertHistory(tx, after, now)
    if (isNews) await notify(paying, tx, payment, after, eventOf(before.state, after.state))
    if (!next && isOpen(after.state))
      paying.log.error(
        { merchantId, dispute: id },
        'A dispute has been undecided for months; check it by hand',
      )
  })
}

/** Updates the payment's dispute, moves the payment if the money moved, and announces it. */
async function notify(
  paying: Paying,
  tx: Transaction,
  payment: LockedPayment,
  dispute: DisputeRow,
  event: DisputeEvent | undefined,
): Promise<void> {
  const all = await listOfPayment(tx, { merchantId: dispute.merchant_id, number: dispute.number })
  const shown = all.find(({ state }) => isOpen(state)) ?? all[0] ?? dispute
  const moneyTaken = all.some(({ money_taken }) => money_taken)
  const stored = { ...storedDispute(shown), taken_minor: Number(sumTaken(all, payment.currency)) }
  const after = await applyDispute(paying, tx, payment, { stored, moneyTaken, event })
  warnOfLoss(paying, after)
  if (event !== undefined) await notifyMerchant(paying, tx, event, { dispute, payment: after })
}

function standingOf(status: DisputeStatus, state: DisputeRow['state']): DisputeSnapshot {
  return {
    state,
    reason: status.reason.slice(0, reasonMax),
    amount_minor: status.money.amountMinor,
    currency: status.money.currency,
    evidence_due_at: status.evidenceDueAt ?? null,
    money_taken: status.moneyTaken,
  }
}

function isSame(before: DisputeRow, after: DisputeSnapshot): boolean {
  const dueBefore = before.evidence_due_at === null ? null : Date.parse(before.evidence_due_at)
  return (
    before.state === after.state &&
    before.reason === after.reason &&
    before.amount_minor === after.amount_minor &&
    before.currency === after.currency &&
    before.money_taken === after.money_taken &&
    dueBefore === (after.evidence_due_at?.getTime() ?? null)
  )
}

function checkAfter(
  { state, money_taken: moneyTaken }: DisputeSnapshot,
  counted: { checks: number; openedAt: Date },
  now: Date,
): Date | null {
  return nextCheckAt({ state, moneyTaken, ...counted }, now)
}

function warnOfContradiction(paying: Paying, before: DisputeRow, status: DisputeStatus): void {
  const { merchant_id: merchantId, id, state } = before
  paying.log.error(
    { merchantId, dispute: id, state, told: status.kind },
    'A network contradicts its earlier answer about a dispute; check it by hand',
  )
}
