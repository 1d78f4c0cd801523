import { recordAct, type Actor } from '../../core/audit/audit.ts'
import { inTransaction, violates, type Transaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { formatAmount } from '../../platform/money/money.ts'
import type { Payee } from '../../core/payments/create-payment.ts'
import { findPaymentByNumber, findPayments, type PaymentRow } from '../../core/payments/find-payment.ts'
import {
  beginCharge,
  canCharge,
  sendCharge,
  takesAmount,
  type BegunAttempt,
  type ChargedMethod,
} from '../../core/payments/saving/charge.ts'
import { readSaving } from '../../core/payments/saving/saving.ts'
import { dayOf, insertCharge, reserveOnDay, type Reserved } from './charge-store.ts'
import type { MethodKeeping, MethodScope } from './keeping.ts'
import { shownMethod } from './present.ts'
import { triesMax } from './retry-rules.ts'
import { rulesOf, type DayCeilings } from './rules.ts'
import { lockRules } from './rules-store.ts'
import { countTry, findMethod, lockMethod, type MethodRow } from './store.ts'
import { openToken } from './tokens.ts'

// Charges a saved method without the customer. The payment, its attempt and what it takes of every limit are committed
// before the network is called, once: the tx_ref is the key. A lost answer is asked about by the job that asks about all
// attempts.

export type ChargeRequest = {
  readonly txRef: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly description: string | null
  readonly callbackUrl: string | null
  readonly metaText: string | null
  /** E-mail the customer a link if their bank wants them. */
  readonly mailsCustomer: boolean
}

export type Charged = { readonly payment: PaymentRow; readonly isRepeat: boolean }

/** Whatever was agreed: a program that runs wild stops here. */
export const chargesPerDayMax = 20

export async function chargeMethod(
  keeping: MethodKeeping,
  payee: Payee,
  methodId: string,
  request: ChargeRequest,
  by: Actor,
): Promise<Charged> {
  const { db, paying } = keeping
  if (payee.merchant.isSuspended) throw new Refusal('merchant_suspended')
  if (payee.mode === 'live' && !payee.merchant.liveEnabled) throw new Refusal('live_not_enabled')
  const scope = { merchantId: payee.merchant.id, mode: payee.mode }
  const method = await findMethod(db, scope, methodId)
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  const before = await findBefore(keeping, scope, method, request)
  if (before) return { payment: before, isRepeat: true }
  const first = await findPaymentByNumber(
    db,
    { merchantId: scope.merchantId, number: method.number },
    scope.mode,
  )
  if (method.ended_at === null && !(await canCharge(paying, scope.merchantId, asCharged(method))))
    throw new Refusal('method_ended', 'The network account that saved this method is no longer connected')
  const { amountMinor: amount_minor, currency } = request
  if (!takesAmount(paying, asCharged(method), { amount_minor, currency }))
    throw new Refusal('charge_limit', `${method.connector} doesn't charge this amount in ${currency}`)
  const begun = await inTransaction(db, async (tx) =>
    begin(keeping, tx, { payee, method, first, request, by }),
  ).catch((error: unknown) => refuseLimit(error, method))
  if (begun) {
    const token = await openToken(keeping, { merchantId: scope.merchantId, id: method.id })
    if (token !== undefined) {
      const { txRef, description } = request
      await sendCharge(paying, {
        attempt: begun,
        mode: scope.mode,
        token,
        email: first.email,
        description: description ?? txRef,
        txRef,
      })
    }
  }
  const payment = await findBefore(keeping, scope, method, request)
  if (!payment) throw new Error('A charge that was begun, or was there before, does not exist')
  return { payment, isRepeat: begun === undefined }
}

/** The charge with this tx_ref. Refuses any other payment. */
async function findBefore(
  { db }: MethodKeeping,
  { merchantId, mode }: MethodScope,
  method: MethodRow,
  { txRef, amountMinor, currency }: ChargeRequest,
): Promise<PaymentRow | undefined> {
  const payment = (await findPayments(db, merchantId, mode, [txRef])).get(txRef)
  if (!payment) return undefined
  const isSame = payment.amount_minor === amountMinor && payment.currency === currency
  if (readSaving(payment)?.charges === method.id && isSame) return payment
  throw new Refusal('tx_ref_taken', 'tx_ref has been used before for another payment: choose another')
}

type Beginning = {
  readonly payee: Payee
  readonly method: MethodRow
  readonly first: PaymentRow
  readonly request: ChargeRequest
  readonly by: Actor
}

/** Undefined if the same charge was begun at the same moment. */
async function begin(
  keeping: MethodKeeping,
  tx: Transaction,
  { payee, method: { id, mode }, first, request, by }: Beginning,
): Promise<BegunAttempt | undefined> {
  const merchantId = payee.merchant.id
  // A crowd of equal charges waits here, one by one.
  const method = await lockMethod(tx, { merchantId, id })
  if (!method) throw new Refusal('not_found', 'Saved method not found')
  const saving = { charges: id, method: shownMethod(method) }
  const asked = { ...requestOf(first, request), saving }
  const attempt = await beginCharge(keeping, tx, payee, asked, asCharged(method))
  if (!attempt) return undefined
  const reserved = await holdToRules(keeping, tx, method, request)
  const { amountMinor, currency } = request
  const now = keeping.now()
  await insertCharge(tx, {
    merchant_id: merchantId,
    number: attempt.number,
    method_id: id,
    currency,
    amount_minor: amountMinor,
    day: dayOf(now),
    mails_customer: request.mailsCustomer,
    reserved,
  })
  await recordAct(tx, merchantId, by, {
    action: 'saved_method.charged',
    subject: id,
    after: { mode, tx_ref: request.txRef, amount_minor: String(amountMinor), currency },
  })
  return attempt
}

/** Refuses, or reserves what the charge takes and returns where. Nothing of it stays when the transaction fails. */
async function holdToRules(
  { now: clock }: MethodKeeping,
  tx: Transaction,
  method: MethodRow,
  { amountMinor, currency }: ChargeRequest,
): Promise<Reserved> {
  const { merchant_id: merchantId, id, mode } = method
  const now = clock()
  if (method.ended_at !== null) throw new Refusal('method_ended')
  const rules = rulesOf(await lockRules(tx, { merchantId, mode }, 'share'))
  if (rules.isStopped) throw new Refusal('charges_stopped')
  if (method.retry_at !== null && Date.parse(method.retry_at) > now.getTime())
    throw new Refusal(
      'retry_too_early',
      `The last charge was declined: try again after ${new Date(method.retry_at).toISOString()}`,
    )
  if (hasOneCurrency(method) && method.limit_currency !== currency)
    throw new Refusal('charge_limit', `This method can be charged in ${method.limit_currency} only`)
  await countTry(tx, { merchantId, id }, now)
  const ceilings = rules.ceilings.get(currency) ?? {}
  const of = { mode, currency, day: dayOf(now) }
  await reserveOnDay(tx, { merchantId, id }, of, amountMinor, {
    chargesMax: chargesPerDayMax,
    ceilingMinor: lowest(method.limit_minor, ceilings),
  })
  if (ceilings.allMinor === undefined) return 'method'
  await reserveOnDay(tx, { merchantId, id: '' }, of, amountMinor, {
    chargesMax: null,
    ceilingMinor: ceilings.allMinor,
  })
  return 'method_and_all'
}

/** A limit is in one currency, and so is a bank's mandate. */
export function hasOneCurrency({ limit_minor, kind }: MethodRow): boolean {
  return limit_minor !== null || kind === 'debit'
}

function lowest(agreed: bigint | null, { methodMinor }: DayCeilings): bigint | null {
  if (agreed === null || methodMinor === undefined) return agreed ?? methodMinor ?? null
  return agreed < methodMinor ? agreed : methodMinor
}

function refuseLimit(error: unknown, { limit_minor, limit_currency }: MethodRow): never {
  if (violates(error, 'saved_methods_tries_within_limit'))
    throw new Refusal(
      'charge_limit',
      `This method was tried ${triesMax} times in 30 days without success, the most that card schemes allow`,
    )
  if (violates(error, 'saved_methods_never_charged_after_end')) throw new Refusal('method_ended')
  if (violates(error, 'saved_method_days_charges_within_limit'))
    throw new Refusal('charge_limit', `This method was charged ${chargesPerDayMax} times today, the maximum`)
  if (violates(error, 'saved_method_days_within_ceiling')) {
    const agreed =
      limit_minor === null
        ? ''
        : `; the customer agreed to ${formatAmount(limit_minor, limit_currency)} ${limit_currency} a day`
    throw new Refusal('charge_limit', `This charge would exceed a daily ceiling${agreed}`)
  }
  throw error
}

export function asCharged({
  id,
  connector,
  account_id: accountId,
  kind,
  brand,
  last4,
}: MethodRow): ChargedMethod {
  return { id, connector, accountId, kind, brand, last4 }
}

/** The customer is the one of the payment that saved the method. */
function requestOf(first: PaymentRow, request: ChargeRequest) {
  return {
    txRef: request.txRef,
    amountMinor: request.amountMinor,
    currency: request.currency,
    email: first.email,
    firstName: first.first_name,
    lastName: first.last_name,
    callbackUrl: request.callbackUrl ?? first.callback_url,
    returnUrl: null,
    title: null,
    description: request.description,
    logo: first.logo,
    metaText: request.metaText,
    itemsText: null,
    invoiceNumber: null,
    project: null,
    expiresInSeconds: null,
  }
}
