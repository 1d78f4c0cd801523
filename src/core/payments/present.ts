import { formatAmount } from '../../platform/money/money.ts'
import { describeReason } from './attempts/describe-reason.ts'
import { itemsOf, type Item } from './items.ts'
import { presentStored, type StoredDispute } from './disputed/dispute-view.ts'
import { lossOf } from './disputed/loss.ts'
import { readSaving, type Saving } from './saving/saving.ts'
import { publicStatus } from './state-machine.ts'
import type { PaymentRow } from './store.ts'

// The public face of a payment: the same JSON in the look-up and in the notification. The list and a cancelled payment
// show its project as well, and the look-up its refunds.
//
// It is text, not an object: meta was kept as text and is put back as text, so that a number too long for a double
// comes back as it was sent.

export function transactionJson(
  payment: PaymentRow,
  baseUrl: string,
  projectNames?: ReadonlyMap<string, string>,
  refunds: readonly object[] = [],
): string {
  const { currency } = payment
  const saving = readSaving(payment)
  const project = projectNames?.get(payment.project_id ?? '')
  const beforeMeta = JSON.stringify({
    first_name: payment.first_name,
    last_name: payment.last_name,
    email: payment.email,
    currency,
    amount: formatAmount(payment.amount_minor, currency),
    // The largest amount has 13 digits, so a double holds it.
    amount_minor: Number(payment.amount_minor),
    charge: formatAmount(payment.charge_minor, currency),
    charge_minor: Number(payment.charge_minor),
    refunded_minor: Number(payment.refunded_minor),
    mode: payment.mode,
    type: payment.type,
    status: publicStatus[payment.state],
    reference: payment.reference,
    tx_ref: payment.tx_ref,
    customization: {
      title: payment.title ?? '',
      description: payment.description ?? '',
      logo: payment.logo ?? '',
    },
  })
  const afterMeta = JSON.stringify({
    ...(payment.items !== null && { items: itemsOf(payment).map((item) => shownItem(item, currency)) }),
    ...(payment.invoice_number !== null && { invoice_number: payment.invoice_number }),
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    expires_at: payment.expires_at,
    ...(payment.paid_at !== null && { paid_at: payment.paid_at }),
    ...(payment.paid_with !== null && { method: JSON.parse(payment.paid_with) as unknown }),
    ...(saving?.method && { saved_method: saving.method }),
    ...shownFailure(payment, saving),
    ...(payment.state === 'pending' && { checkout_url: checkoutUrl(payment, baseUrl) }),
    ...(payment.refunded_minor > 0n && { refunded: formatAmount(payment.refunded_minor, currency) }),
    ...(refunds.length > 0 && { refunds }),
    ...(payment.dispute !== null && {
      dispute: presentStored(JSON.parse(payment.dispute) as StoredDispute, lossOf(payment)),
    }),
    ...(project !== undefined && { project, project_id: payment.project_id }),
  })
  return `${beforeMeta.slice(0, -1)},"meta":${payment.meta ?? '{}'},${afterMeta.slice(1)}`
}

/**
 * Every attempt of a failed payment was declined; the last one says most about why. A charge of a saved method also says
 * what may be done about it, and one that waits for the customer says so while it is pending.
 */
function shownFailure(
  { state, failure_reason: code }: PaymentRow,
  saving: Saving | undefined,
): { failure?: object } {
  const isOpen = state === 'pending' || state === 'failed'
  if (saving?.failure && isOpen) {
    const { code: failure, reason, mayRetry, retryAfter } = saving.failure
    return {
      failure: {
        code: failure,
        message: describeReason(reason),
        ...(failure !== reason && { reason }),
        may_retry: mayRetry,
        ...(retryAfter !== undefined && { retry_after: retryAfter }),
      },
    }
  }
  return state === 'failed' && code !== null ? { failure: { code, message: describeReason(code) } } : {}
}

function shownItem({ name, quantity, unitMinor, taxRate, taxName }: Item, currency: string): object {
  return {
    name,
    quantity,
    unit_amount: formatAmount(unitMinor, currency),
    unit_amount_minor: Number(unitMinor),
    ...(taxRate !== undefined && { tax_rate: taxRate }),
    ...(taxName !== undefined && { tax_name: taxName }),
  }
}

export function checkoutUrl(payment: { merchant_id: number; number: string }, baseUrl: string): string {
  return `${baseUrl}/payment/${payment.merchant_id}${payment.number}`
}

/** Where a customer sees and ends the saved method of a payment. */
export function methodUrl(payment: { merchant_id: number; number: string }, baseUrl: string): string {
  return `${checkoutUrl(payment, baseUrl)}/saved-method`
}
