import type { DeclineReason } from '../connectors/connector.ts'
import type { Database } from '../database/database.ts'
import { readMerchant } from '../merchants/authenticate.ts'
import { listAttempts, type AttemptRow } from './attempt-store.ts'
import { declinedMax } from './apply-outcome.ts'
import type { AttemptState } from './state-machine.ts'
import { findByNumber, type PaymentKey, type PaymentRow } from './store.ts'

// What the checkout pages know of a payment.

export type { CardDetails, DeclineReason } from '../connectors/connector.ts'
export type { AttemptState, PaymentState } from './state-machine.ts'
export type { PaymentKey, PaymentRow } from './store.ts'

export type AttemptView = {
  readonly attempt: number
  readonly state: AttemptState
  readonly declineReason: DeclineReason | undefined
  readonly cardBrand: string | undefined
  readonly cardLast4: string | undefined
  readonly startedAt: string
}

export type CheckoutView = {
  readonly payment: PaymentRow
  readonly merchantName: string
  readonly lastAttempt: AttemptView | undefined
  readonly attemptsLeft: number
}

const digitsShape = /^([1-9][0-9]{7})([0-9]{24})$/

/** The 32 digits of a checkout link: the merchant's number and the payment's. */
export function readDigits(digits: string): PaymentKey | undefined {
  const match = digitsShape.exec(digits)
  return match?.[1] && match[2] ? { merchantId: Number(match[1]), number: match[2] } : undefined
}

export async function readCheckout(db: Database, digits: string): Promise<CheckoutView | undefined> {
  const key = readDigits(digits)
  if (!key) return undefined
  const [payment, merchant, attempts] = await Promise.all([
    findByNumber(db, key),
    readMerchant(db, key.merchantId),
    listAttempts(db, key),
  ])
  if (!payment || !merchant) return undefined
  const last = attempts.at(-1)
  const declined = attempts.filter(({ state }) => state === 'declined').length
  return {
    payment,
    merchantName: merchant.name,
    lastAttempt: last && viewAttempt(last),
    attemptsLeft: Math.max(0, declinedMax - declined),
  }
}

function viewAttempt(row: AttemptRow): AttemptView {
  return {
    attempt: row.attempt,
    state: row.state,
    declineReason: row.decline_reason ?? undefined,
    cardBrand: row.card_brand ?? undefined,
    cardLast4: row.card_last4 ?? undefined,
    startedAt: row.started_at,
  }
}
