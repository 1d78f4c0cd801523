import type { DeclineReason } from '../networks/connector.ts'
import type { PaymentMethod } from '../networks/hosted.ts'
import { makeMerchantBatch } from '../../platform/database/batch.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FindMerchant } from '../merchants/authenticate.ts'
import type { Brand } from '../merchants/brand/brand.ts'
import { declinedMax } from './attempts/apply-outcome.ts'
import type { CardTesting } from './card-testing/card-testing.ts'
import { lasts, levelOf } from './card-testing/judge.ts'
import {
  freeOf,
  laterOf,
  proofBits,
  proofBitsOfAddress,
  waitsWithAddress,
  waitUntil,
} from './card-testing/limits.ts'
import type { AttemptState } from './state-machine.ts'
import type { PaymentKey, PaymentRow } from './store.ts'
import { findViews, type ViewRow } from './checkout-store.ts'

// What the checkout pages know about a payment.

export type { CardDetails, DeclineReason } from '../networks/connector.ts'
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
  /** The saved method that it charged. */
  readonly savedMethodId?: string
}

export type HostedView = {
  readonly accountId: string
  /** The network's name, as attempts are stored with it. */
  readonly connector: string
  readonly method: PaymentMethod
  readonly pageUrl: string | undefined
  /** The network has a name for the charge already, although it may take days. */
  readonly isTold?: boolean
}

export type CheckoutView = {
  readonly payment: PaymentRow
  readonly merchantName: string
  readonly brand: Brand
  /** An operator suspended the merchant: nothing can be paid. */
  readonly isSuspended?: boolean
  readonly lastAttempt: AttemptView | undefined
  /** Money that came when it could not pay any more goes back, or went back; not only the last attempt's. */
  readonly isSentBack?: boolean
  readonly attemptsLeft: number
  /** Until when this client can't pay, after too many declined cards. */
  readonly waitUntil?: Date
  /** The merchant is under attack, or others at this address were declined: how hard a proof the next attempt needs. */
  readonly proofBits?: number
}

const digitsShape = /^([1-9][0-9]{7})([0-9]{24})$/

/** The 32 digits of a checkout link: the merchant's number and the payment's. */
export function readDigits(digits: string): PaymentKey | undefined {
  const match = digitsShape.exec(digits)
  return match?.[1] && match[2] ? { merchantId: Number(match[1]), number: match[2] } : undefined
}

/** `address`: of the client. */
export type ReadCheckout = (digits: string, address?: string) => Promise<CheckoutView | undefined>

/** A page, and who asks for it, by a keyed hash. */
type AskedView = { readonly number: string; readonly addressHash: string | null }

type Guard = { readonly cardTesting: CardTesting; readonly now: () => Date }

const batchSizeMax = 100
const batchesInFlight = 4

/** Pages of a merchant that are asked for together are read in one statement. */
export function makeReadCheckout(db: Database, findMerchant: FindMerchant, guard?: Guard): ReadCheckout {
  const find = makeMerchantBatch<AskedView, ViewRow | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, asked, tx) =>
      findViews(
        tx ?? db,
        merchantId,
        asked.map(({ number }) => number),
        asked.map(({ addressHash }) => addressHash),
      ),
    groupOn: db,
  })
  return async (digits, address) => {
    const key = readDigits(digits)
    if (!key) return undefined
    const addressHash =
      address === undefined ? null : await guard?.cardTesting.marks.address(key.merchantId, address)
    // One after the other: the merchant is remembered, and waiting for both at once costs more than asking for it.
    const merchant = await findMerchant(key.merchantId)
    if (!merchant) return undefined
    const row = await find(key.merchantId, { number: key.number, addressHash: addressHash ?? null })
    if (!row) return undefined
    return {
      payment: row,
      merchantName: merchant.name,
      brand: merchant.brand,
      isSuspended: merchant.isSuspended,
      lastAttempt: lastAttemptOf(row),
      ...(row.is_sent_back === true && { isSentBack: true }),
      attemptsLeft: Math.max(0, declinedMax - row.declined),
      ...(guard && heldAgainst(guard, row)),
    }
  }
}

function heldAgainst(
  { cardTesting, now }: Guard,
  row: ViewRow,
): Pick<CheckoutView, 'waitUntil' | 'proofBits'> {
  const isClean = row.declined === 0 && row.level === null && row.attack_until === null
  if (isClean) return {} // No test: saves time: most clients have no declines
  const at = now()
  const { limits } = cardTesting
  const isUnderAttack = lasts(row.attack_until, at)
  const free = freeOf(limits, isUnderAttack)
  const address = levelOf(row.level, row.level_at)
  const ofAddress = waitUntil(free, at, address)
  const ofOrder = waitUntil(free, at, levelOf(row.declined, row.last_started_at))
  const mayProve = ofAddress !== undefined && !waitsWithAddress(row.declined)
  const until = laterOf(ofOrder, mayProve ? undefined : ofAddress)
  const bits = Math.max(
    isUnderAttack ? proofBits(limits, row.attack_declines ?? 0) : 0,
    mayProve ? proofBitsOfAddress(free, address?.level ?? 0) : 0,
  )
  return { ...(until && { waitUntil: until }), ...(bits > 0 && { proofBits: bits }) }
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
    hosted: hostedOf(row),
    ...(row.last_saved_method_id !== null && { savedMethodId: row.last_saved_method_id }),
  }
}

function hostedOf(row: ViewRow): HostedView | undefined {
  const { last_account_id: accountId, last_connector: connector, last_method: method } = row
  if (accountId === null || connector === null || method === null) return undefined
  const isTold = row.last_charge_reference !== null
  return { accountId, connector, method, pageUrl: row.last_page_url ?? undefined, ...(isTold && { isTold }) }
}
