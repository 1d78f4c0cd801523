import type { Database, Queryable } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { PaymentRow } from '../payments/find-payment.ts'
import { readSaving } from '../payments/saving/saving.ts'
import type { MethodScope } from './keeping.ts'
import { presentMethod } from './present.ts'
import { findEnded, findMethod, listMethods, type MethodRow } from './store.ts'

export type { MethodRow }

/** Of one customer, the newest first; nobody has more. */
export const methodsMax = 100

export async function methodsOf(
  db: Queryable,
  scope: MethodScope,
  customerRef: string,
): Promise<readonly MethodRow[]> {
  return listMethods(db, scope, { customerRef, max: methodsMax })
}

/** Refuses one of another merchant or the other mode as unknown. */
export async function findSavedMethod(db: Queryable, scope: MethodScope, id: string): Promise<object> {
  const method = /^svm_[0-9A-Za-z]{16}$/.test(id) ? await findMethod(db, scope, id) : undefined
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  return presentMethod(method)
}

/** Whether their methods can be charged may have changed since the payments were written. Reads nothing for all others. */
export async function withUsable<P extends PaymentRow>(
  db: Database,
  payments: readonly P[],
): Promise<readonly P[]> {
  const [first] = payments
  const ids = payments.flatMap((payment) => readSaving(payment)?.method?.id ?? [])
  if (!first || ids.length === 0) return payments
  const ended = await findEnded(db, first.merchant_id, ids)
  return payments.map((payment) => {
    const saving = readSaving(payment)
    if (!saving?.method || !ended.has(saving.method.id)) return payment
    return { ...payment, saving: JSON.stringify({ ...saving, method: { ...saving.method, usable: false } }) }
  })
}
