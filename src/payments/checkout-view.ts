import type { DeclineReason } from '../connectors/connector.ts'
import { makeMerchantBatch } from '../database/batch.ts'
import { sqlState, type Database } from '../database/database.ts'
import type { FindMerchant } from '../merchants/authenticate.ts'
import { declinedMax } from './attempts/apply-outcome.ts'
import type { AttemptState } from './state-machine.ts'
import type { PaymentKey, PaymentRow } from './store.ts'
import { findViews, type ViewRow } from './checkout-store.ts'

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
  /** On a network's own page; undefined when the card was typed on ours. */
  readonly hosted: HostedView | undefined
}

export type HostedView = { readonly accountId: string; readonly pageUrl: string | undefined }

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

export type ReadCheckout = (digits: string) => Promise<CheckoutView | undefined>

const batchSizeMax = 100
const batchesInFlight = 4

/** Pages of a merchant that are asked for together are read in one statement. */
export function makeReadCheckout(db: Database, findMerchant: FindMerchant): ReadCheckout {
  const find = makeMerchantBatch<string, ViewRow | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, numbers) => findViews(db, merchantId, numbers),
    isAboutData: (error) => sqlState(error) !== undefined,
  })
  return async (digits) => {
    const key = readDigits(digits)
    if (!key) return undefined
    const [row, merchant] = await Promise.all([
      find(key.merchantId, key.number),
      findMerchant(key.merchantId),
    ])
    if (!row || !merchant) return undefined
    return {
      payment: row,
      merchantName: merchant.name,
      lastAttempt: lastAttemptOf(row),
      attemptsLeft: Math.max(0, declinedMax - row.declined),
    }
  }
}

function lastAttemptOf(row: ViewRow): AttemptView | undefined {
  if (row.last_attempt === null || row.last_state === null || row.last_started_at === null) return undefined
  return {
    attempt: row.last_attempt,
    state: row.last_state,
    declineReason: row.last_decline_reason ?? undefined,
    cardBrand: row.last_card_brand ?? undefined,
    cardLast4: row.last_card_last4 ?? undefined,
    startedAt: row.last_started_at,
    hosted:
      row.last_account_id === null
        ? undefined
        : { accountId: row.last_account_id, pageUrl: row.last_page_url ?? undefined },
  }
}
