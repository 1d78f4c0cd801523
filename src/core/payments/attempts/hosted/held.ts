import { inTransaction, type Database, type Transaction } from '../../../../platform/database/database.ts'
import { recordAct, type Actor, type AuditAction } from '../../../audit/audit.ts'
import type { Mode } from '../../../merchants/mode.ts'
import { Refusal } from '../../../../platform/errors/refusals.ts'
import { nameActor } from '../../history-store.ts'
import { lockPayment, replaceAmount, type LockedPayment } from '../../store.ts'
import { transitionAll } from '../../transition.ts'
import {
  findAttempt,
  lockWithPayments,
  attemptName,
  scheduleNow,
  type AttemptKey,
  type AttemptRow,
} from '../attempt-store.ts'
import type { OutcomeDeps } from '../apply-outcome.ts'
import { moveAttempt, type MoveDeps } from '../move-attempt.ts'
import { findHeld, type HeldCharge } from './hosted-store.ts'

// Charges that the rules don't decide: a person does. Whoever comes second changes nothing.

export type { HeldCharge }

/** The oldest first. */
export async function listHeld(
  db: Database,
  of: { merchantId: number; mode: Mode },
): Promise<readonly HeldCharge[]> {
  return findHeld(db, of)
}

type Decision = { readonly key: AttemptKey; readonly by: Actor; readonly at: Date }

/** What is held goes back to the customer, and the payment can be paid anew. False: it is not held any more. */
export async function sendBackHeld(
  deps: MoveDeps & { readonly db: Database },
  { key, by, at }: Decision,
): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || !before) return false
    const move = { before, mode: payment.mode, event: 'sent_back', at } as const
    if (!(await moveAttempt(deps, tx, move))) return false
    await nameActor(tx, key, { event: 'sent_back', actor: by.name })
    await writeDown(tx, { payment, before, by, action: 'charge.sent_back' })
    return true
  })
}

/** Why a charge can't be accepted, or undefined. Florin knows no rate between two currencies. */
export function whyNotAcceptable(
  charge: Pick<AttemptRow, 'charged_minor' | 'charged_currency'>,
  payment: { readonly currency: string },
): string | undefined {
  if (charge.charged_minor === null || charge.charged_minor <= 0n)
    return 'The network did not say how much it charged'
  return charge.charged_currency === payment.currency
    ? undefined
    : 'The charge is in another currency. Send it back, and let the customer pay again'
}

/**
 * The payment is paid with what was charged, and its amount becomes that: refunds, totals and what the merchant's program
 * reads are about money that is there. Its items go, as they no longer add up. False: it is not held any more.
 */
export async function acceptHeld(deps: OutcomeDeps, { key, by, at }: Decision): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockWithPayments(tx, key.merchantId, [key])
    const payment = locked.payments.get(key.number)
    const before = await findAttempt(tx, key)
    if (!payment || before?.state !== 'held') return false
    const reason = whyNotAcceptable(before, payment)
    if (reason !== undefined || before.charged_minor === null)
      throw new Refusal('validation_failed', reason ?? 'The network did not say how much it charged')
    await moveAttempt(deps, tx, { before, mode: payment.mode, event: 'accepted', at })
    await nameActor(tx, key, { event: 'accepted', actor: by.name })
    await replaceAmount(tx, key, before.charged_minor)
    const accepted = { ...payment, amount_minor: before.charged_minor, items: null }
    const paidWith = locked.means.get(attemptName(key))
    const [moved] = await transitionAll(deps, tx, key.merchantId, [
      { payment: accepted, event: 'paid', ...(paidWith && { paidWith }) },
    ])
    if (!moved?.moved) throw new Error(`A held charge was accepted for a payment that is ${payment.state}`)
    await deps.reworded?.(tx, key.merchantId, [key.number])
    await writeDown(tx, { payment, before, by, action: 'charge.accepted' })
    return true
  })
}

/** The network is asked for a surplus charge once more. False: it is not waiting for anybody. */
export async function askAgainForSurplus(db: Database, { key, by, at }: Decision): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || before?.state !== 'surplus' || !(await scheduleNow(tx, key, at))) return false
    await writeDown(tx, { payment, before, by, action: 'charge.return_asked' })
    return true
  })
}

/** The merchant gave it back in the network's own dashboard. False: it is not waiting for anybody. */
export async function markReturned(
  deps: MoveDeps & { readonly db: Database },
  { key, by, at }: Decision,
): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || before?.state !== 'surplus' || before.next_check_at !== null) return false
    await moveAttempt(deps, tx, { before, mode: payment.mode, event: 'money_returned', at })
    await nameActor(tx, key, { event: 'money_returned', actor: by.name })
    await writeDown(tx, { payment, before, by, action: 'charge.marked_returned' })
    return true
  })
}

async function writeDown(
  tx: Transaction,
  of: {
    readonly payment: LockedPayment
    readonly before: AttemptRow
    readonly by: Actor
    readonly action: AuditAction
  },
): Promise<void> {
  const { payment, before, by, action } = of
  await recordAct(tx, payment.merchant_id, by, {
    action,
    subject: payment.tx_ref,
    before: {
      mode: payment.mode,
      attempt: before.attempt,
      amount_minor: String(payment.amount_minor),
      currency: payment.currency,
      charged_minor: String(before.charged_minor),
      charged_currency: before.charged_currency,
    },
  })
}
