import { formatAmount } from '../money/money.ts'
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
    created_at: payment.created_at,
    updated_at: payment.updated_at,
    ...(payment.state === 'pending' && { checkout_url: checkoutUrl(payment, baseUrl) }),
    ...(payment.refunded_minor > 0n && { refunded: formatAmount(payment.refunded_minor, currency) }),
    ...(refunds.length > 0 && { refunds }),
    ...(payment.dispute !== null && { dispute: JSON.parse(payment.dispute) as unknown }),
    ...(project !== undefined && { project, project_id: payment.project_id }),
  })
  return `${beforeMeta.slice(0, -1)},"meta":${payment.meta ?? '{}'},${afterMeta.slice(1)}`
}

export function checkoutUrl(payment: { merchant_id: number; number: string }, baseUrl: string): string {
  return `${baseUrl}/payment/${payment.merchant_id}${payment.number}`
}
