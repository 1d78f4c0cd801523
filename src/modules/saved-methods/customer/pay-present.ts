import { inTransaction, violates } from '../../../platform/database/database.ts'
import { findPaymentByNumber, type PaymentRow } from '../../../core/payments/find-payment.ts'
import type { PayResult } from '../../../core/payments/attempts/pay.ts'
import { recordOutcome } from '../../../core/payments/attempts/record-outcome.ts'
import { canCharge, sendCharge, startSaved, takesAmount } from '../../../core/payments/saving/charge.ts'
import { readSaving } from '../../../core/payments/saving/saving.ts'
import { asCharged } from '../charge-method.ts'
import type { MethodKeeping } from '../keeping.ts'
import { triesMax } from '../retry-rules.ts'
import { findOwn } from '../find-methods.ts'
import { readRules } from '../rules.ts'
import { countTry, lockMethod, type MethodRow } from '../store.ts'
import { openToken } from '../tokens.ts'

// A customer on the page of a payment pays with a method that they saved before. The merchant says who they are when
// creating the payment; a charge that waits for its customer says so by itself.

export const methodsOffered = 3

/** The methods that this payment can be paid with, newest first. Reads nothing for payments without a customer. */
export async function usableMethods(
  keeping: MethodKeeping,
  payment: PaymentRow,
): Promise<readonly MethodRow[]> {
  const saving = readSaving(payment)
  if (!saving || saving.asked) return []
  const { merchant_id: merchantId, mode } = payment
  const found = await findOwn(keeping.db, payment)
  if (found.length === 0 || (await readRules(keeping.db, { merchantId, mode })).isStopped) return []
  const able = found.filter((method) => isAble(keeping, payment, method)).filter(isFirstOfItsName)
  const charged = await Promise.all(
    able.map(async (method) => canCharge(keeping.paying, merchantId, asCharged(method))),
  )
  return able.filter((_, index) => charged[index]).slice(0, methodsOffered)
}

function isAble({ now, paying }: MethodKeeping, payment: PaymentRow, method: MethodRow): boolean {
  const month = now().toISOString().slice(0, 7)
  const isExpired = method.expires !== null && method.expires < month
  return !isExpired && method.tries.length < triesMax && takesAmount(paying, asCharged(method), payment)
}

function isFirstOfItsName(method: MethodRow, index: number, all: readonly MethodRow[]): boolean {
  const nameOf = ({ kind, brand, last4, expires, connector }: MethodRow): string =>
    JSON.stringify([kind, brand, last4, expires, connector])
  return all.findIndex((other) => nameOf(other) === nameOf(method)) === index
}

/** `language`: of the page, for the receipt. */
export async function payWithMethod(
  keeping: MethodKeeping,
  payment: PaymentRow,
  methodId: string,
  language: string | undefined,
): Promise<PayResult> {
  const { paying } = keeping
  const { merchant_id: merchantId, number, mode } = payment
  const method = (await usableMethods(keeping, payment)).find(({ id }) => id === methodId)
  if (!method || (await paying.isSuspended(merchantId))) return { kind: 'unavailable' }
  const started = await startSaved(paying, { merchantId, number, mode }, asCharged(method), language)
  if (started.kind !== 'started') return started
  const { attempt } = started
  const token = await takeMethod(keeping, method)
  if (token === undefined)
    return recordOutcome(paying, attempt, { kind: 'not_made', reason: 'network_silent' })
  const first = await findPaymentByNumber(keeping.db, { merchantId, number: method.number }, mode)
  return sendCharge(paying, {
    attempt,
    mode,
    token,
    email: first.email,
    description: payment.title ?? payment.description ?? payment.tx_ref,
    txRef: payment.tx_ref,
    isPresent: true,
  })
}

/**
 * Counts the try, after the attempt is committed and before the network is called. Undefined if the method ended in
 * between: then the network is never called. Should this process die here, the network is asked and knows of nothing.
 */
async function takeMethod(
  keeping: MethodKeeping,
  { merchant_id, id }: MethodRow,
): Promise<string | undefined> {
  const key = { merchantId: merchant_id, id }
  const isTaken = await inTransaction(keeping.db, async (tx) => {
    const method = await lockMethod(tx, key)
    if (method?.ended_at !== null) return false
    await countTry(tx, key, keeping.now())
    return true
  }).catch((error: unknown) => {
    if (violates(error, 'saved_methods_tries_within_limit')) return false
    throw error
  })
  return isTaken ? openToken(keeping, key) : undefined
}
