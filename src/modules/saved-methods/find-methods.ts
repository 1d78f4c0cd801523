import type { Database, Queryable } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { readPage, type PageEnd } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { limits } from '../../core/payments/limits.ts'
import { findPaymentsByNumber, type PaymentRow } from '../../core/payments/find-payment.ts'
import { readSaving } from '../../core/payments/saving/saving.ts'
import { listCharges } from './charge-store.ts'
import type { MethodScope } from './keeping.ts'
import { presentMethod } from './present.ts'
import { findEnded, findMethod, listMethods, listMethodsOf, listUsable, type MethodRow } from './store.ts'

export type { MethodRow }

const methodNames = /^svm_[0-9A-Za-z]{16}$/

export type MethodPage = PageEnd & { readonly methods: readonly MethodRow[] }

/** Newest first, by a cursor that names the last row seen. */
export async function readMethods(db: Queryable, scope: MethodScope, query: unknown): Promise<MethodPage> {
  const fields = new Query(query)
  const customerRef = fields.text('customer_ref', { max: limits.customerRef })
  const { rows, ...end } = await readPage(
    fields,
    { names: methodNames, positionOf: ({ saved_at: at, id: name }: MethodRow) => ({ at, name }) },
    async (part) => listMethods(db, scope, { ...part, customerRef }),
  )
  return { methods: rows, ...end }
}

/** Refuses one of another merchant or the other mode as unknown. */
export async function findSavedMethod(db: Queryable, scope: MethodScope, id: string): Promise<object> {
  return presentMethod(await readMethod(db, scope, id))
}

/** Refuses as findSavedMethod does. */
export async function readMethod(db: Queryable, scope: MethodScope, id: string): Promise<MethodRow> {
  const method = methodNames.test(id) ? await findMethod(db, scope, id) : undefined
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  return method
}

/** Those that these payments saved, newest first. */
export async function methodsOf(
  db: Queryable,
  scope: MethodScope,
  numbers: readonly string[],
): Promise<readonly MethodRow[]> {
  return numbers.length === 0 ? [] : listMethodsOf(db, scope, numbers)
}

const chargesShown = 50

/** The payments that charged a method, newest first. */
export async function chargesOf(
  db: Queryable,
  { merchant_id: merchantId, mode, id }: MethodRow,
): Promise<readonly PaymentRow[]> {
  const numbers = await listCharges(db, { merchantId, id }, chargesShown)
  const found = await findPaymentsByNumber(db, merchantId, mode, numbers)
  return [...found.values()].toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
}

/** One card that was saved several times is offered once. */
const methodsRead = 20

/**
 * The methods of the customer who pays a payment, newest first: of one whom the merchant named, or of a charge that waits
 * for its customer. Reads nothing for all others.
 */
export async function findOwn(db: Queryable, payment: PaymentRow): Promise<readonly MethodRow[]> {
  const { merchant_id: merchantId, mode, currency } = payment
  const { charges, customerRef } = readSaving(payment) ?? {}
  const scope = { merchantId, mode }
  if (customerRef !== undefined) return listUsable(db, scope, { customerRef, currency, limit: methodsRead })
  const method = charges === undefined ? undefined : await findMethod(db, scope, charges)
  return method?.ended_at === null ? [method] : []
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
