import type { Queryable } from '../../../platform/database/database.ts'
import { findPaymentsByNumber, type PaymentRow } from '../../../core/payments/find-payment.ts'
import { methodIdOf } from '../../../core/payments/saving/saving.ts'
import { listCharges } from '../charge-store.ts'
import { findMethod, type MethodRow } from '../store.ts'

export type MethodView = {
  readonly method: MethodRow
  /** Newest first. */
  readonly charges: readonly PaymentRow[]
}

export const chargesShown = 10
// A day has 20 charges at most and its charges come in any order: the newest ten are always among this many.
const chargesRead = 30

/** What the customer of a payment sees of the method that it saved or was paid with. Undefined without one. */
export async function viewMethod(db: Queryable, payment: PaymentRow): Promise<MethodView | undefined> {
  const { merchant_id: merchantId, mode } = payment
  const id = methodIdOf(payment)
  const method = id === undefined ? undefined : await findMethod(db, { merchantId, mode }, id)
  if (!method) return undefined
  const numbers = await listCharges(db, { merchantId, id: method.id }, chargesRead)
  const charges = [...(await findPaymentsByNumber(db, merchantId, mode, numbers)).values()]
  const newest = charges.toSorted((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at))
  return { method, charges: newest.slice(0, chargesShown) }
}
