import type { DisputeStatus } from '../../networks/connector.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { AttemptRow } from '../attempts/attempt-store.ts'
import { inFlight } from '../state-machine.ts'
import { findByCharge, listOfPayment } from './disputed-store.ts'

/** The account to call a charge's network with. */
export type ChargedAt = {
  readonly merchantId: number
  readonly connector: string
  /** Null: the card was typed on our own page. */
  readonly accountId: string | null
}

export type FoundCharge =
  | { readonly kind: 'found'; readonly number: string }
  /** An attempt of ours whose outcome we have not heard yet: the dispute was faster. */
  | { readonly kind: 'not_yet' }
  | { readonly kind: 'not_ours' }

/**
 * The payment that a disputed charge paid. What the network repeats of our names only helps to find it: the attempt has to
 * be one of this account, with this very charge.
 */
export async function findCharge(db: Database, at: ChargedAt, status: DisputeStatus): Promise<FoundCharge> {
  const number = status.order?.paymentNumber
  const named = number === undefined ? [] : await listOfPayment(db, { merchantId: at.merchantId, number })
  const charged = await findByCharge(db, at.merchantId, status.chargeReference)
  const ofAccount = [...named, ...charged].filter(
    ({ connector, account_id }) => connector === at.connector && account_id === at.accountId,
  )
  const paid = ofAccount.find(
    (attempt) => attempt.state === 'succeeded' && chargeOf(attempt) === status.chargeReference,
  )
  if (paid) return { kind: 'found', number: paid.number }
  const meant = ofAccount.find(({ idempotency_key }) => idempotency_key === status.order?.idempotencyKey)
  return { kind: meant && inFlight.includes(meant.state) ? 'not_yet' : 'not_ours' }
}

function chargeOf({ charge_reference, connector_reference }: AttemptRow): string | null {
  return charge_reference ?? connector_reference
}
