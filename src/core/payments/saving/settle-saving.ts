import type { Transaction } from '../../../platform/database/database.ts'
import { announceAll } from '../../notifications/announce.ts'
import { findAttempt, attemptKey, type StandingAttempt } from '../attempts/attempt-store.ts'
import type { AttemptMove } from '../attempts/move-attempt.ts'
import type { LockedPayment } from '../store.ts'
import { announcementOf, type Change, type PaidWith, type TransitionDeps } from '../transition.ts'
import { chargingAttempt, isCharge, readSaving } from './saving.ts'
import type { SavedMethods, SavingEvent, SavingOutcome } from './saved-methods.ts'
import { writeSaving } from './saving-store.ts'

// What an outcome means for saved methods, in its commit: a method that was saved, a charge that was declined.

type Deps = TransitionDeps & { readonly savedMethods?: SavedMethods | undefined }

export type MovedAttempt = {
  readonly attempt: StandingAttempt
  readonly move: AttemptMove
}

export type AfterSaving = { readonly number: string; readonly event: SavingEvent }

/** Updates `payments` with what is shown from now on, and returns events to announce after the payments' own. */
export async function settleSaving(
  { savedMethods }: Deps,
  tx: Transaction,
  payments: Map<string, LockedPayment>,
  after: readonly MovedAttempt[],
): Promise<AfterSaving[]> {
  const events: AfterSaving[] = []
  for (const moved of after) {
    const payment = payments.get(moved.attempt.number)
    const outcome = payment && savedMethods && (await outcomeOf(tx, payment, moved))
    if (!outcome) continue
    const settled = await savedMethods.settle(tx, outcome)
    await writeSaving(tx, attemptKey(moved.attempt), settled.saving)
    payments.set(payment.number, { ...payment, saving: JSON.stringify(settled.saving) })
    events.push(...settled.events.map((event) => ({ number: payment.number, event })))
  }
  return events
}

async function outcomeOf(
  tx: Transaction,
  payment: LockedPayment,
  { attempt, move }: MovedAttempt,
): Promise<SavingOutcome | undefined> {
  const saving = readSaving(payment)
  const isPaid = attempt.state === 'succeeded'
  if (!saving || (!isPaid && !isRefused(attempt))) return undefined
  const row = await findAttempt(tx, attemptKey(attempt))
  if (!row) throw new Error('An attempt that was moved does not exist')
  // A card that the customer typed was declined: no saved method has to do with it.
  if (!isPaid && row.saved_method_id === null && !isChargeAttempt(payment, attempt)) return undefined
  const result = isPaid ? 'charged' : (attempt.decline_reason ?? 'declined')
  return { payment, saving, attempt: row, result, savedMethod: move.savedMethod, at: move.at }
}

/** Declined, or never received by the network: then a charge without the customer has failed just as well. */
function isRefused({ state }: StandingAttempt): boolean {
  return state === 'declined' || state === 'not_sent'
}

function isChargeAttempt(payment: LockedPayment, { attempt }: StandingAttempt): boolean {
  return attempt === chargingAttempt && isCharge(payment)
}

/** A refused charge ends its payment, unless the bank wants the customer: then they can pay it on the page. */
export function changeOfCharge(payment: LockedPayment, attempt: StandingAttempt): Change | undefined {
  if (!isRefused(attempt) || !isChargeAttempt(payment, attempt)) return undefined
  const reason = attempt.decline_reason ?? 'declined'
  return reason === 'needs_customer' ? undefined : { payment, event: 'charge_refused', failureReason: reason }
}

export async function announceSaving(
  { outbox, baseUrl }: Deps,
  tx: Transaction,
  payments: ReadonlyMap<string, LockedPayment>,
  events: readonly AfterSaving[],
): Promise<void> {
  const announcements = events.flatMap(({ number, event: { event, json, mailsCustomer } }) => {
    const payment = payments.get(number)
    if (!payment) return []
    const announcement = announcementOf(payment, event, baseUrl, methodIn(payment))
    return [
      {
        ...announcement,
        ...(json !== undefined && { dataJson: json }),
        ...(mailsCustomer !== true && { quiet: true as const }),
      },
    ]
  })
  if (announcements.length > 0) await announceAll(outbox, tx, announcements)
}

/** So that the customer reads which card it is about. */
function methodIn(payment: LockedPayment): PaidWith | undefined {
  const { network, brand = null, last4 = null } = readSaving(payment)?.method ?? {}
  if (network === undefined || brand === null || last4 === null) return undefined
  return { network, method: null, card: { brand, last4 } }
}
