import type { Mode } from '../../merchants/mode.ts'
import type { MeantReceivers } from '../receiver-of.ts'

// Which deliveries are meant, and what is shown of each.

export type DeliveryKind = 'ipn' | 'mail'
export const deliveryStates = ['waiting', 'delivered', 'failed', 'paused', 'skipped', 'kept'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export type DeliveryFilter = {
  readonly merchantId: number
  readonly mode: Mode
  readonly kind?: DeliveryKind | undefined
  readonly state?: DeliveryState | undefined
  /** Deliveries waiting for another attempt after a failed one. */
  readonly isFailing?: boolean | undefined
  readonly event?: string | undefined
  readonly receiver?: MeantReceivers | undefined
  /** By the time of the event, not of the last attempt. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export type FoundDelivery = {
  readonly id: string
  readonly mode: Mode
  readonly kind: DeliveryKind
  readonly event: string
  readonly target: string
  readonly state: DeliveryState
  readonly created_at: string
  readonly finished_at: string | null
  readonly next_try_at: string | null
  /** The last attempt's answer, or why there was none. */
  readonly status: number | null
  readonly error: string | null
}
