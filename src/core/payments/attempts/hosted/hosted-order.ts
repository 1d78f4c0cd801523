import type { HostedOrder, HostedOrderKey, HostedPage } from '../../../networks/hosted.ts'
import { languageOf } from '../../../merchants/brand/languages.ts'
import { itemsOf } from '../../items.ts'
import { checkoutUrl } from '../../present.ts'
import { saveRequestOf } from '../../saving/saving.ts'
import type { PaymentRow } from '../../store.ts'
import type { AttemptRow } from '../attempt-store.ts'
import type { Paying } from '../paying.ts'

// An attempt as an order of the contract. The same attempt always gives the same order and the same page: a repeat with
// the same key must not differ, or networks refuse it.

export function hostedOrderKey(attempt: AttemptRow): HostedOrderKey {
  return {
    merchantId: attempt.merchant_id,
    paymentNumber: attempt.number,
    idempotencyKey: attempt.idempotency_key,
    startedAt: new Date(attempt.started_at),
    connectorReference: attempt.connector_reference ?? undefined,
  }
}

export function hostedOrder(attempt: AttemptRow, payment: PaymentRow): HostedOrder {
  return {
    ...hostedOrderKey(attempt),
    mode: payment.mode,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    method: attempt.method ?? 'card',
  }
}

export async function hostedPage(
  paying: Paying,
  attempt: AttemptRow,
  payment: PaymentRow,
): Promise<HostedPage> {
  const language = payment.language ?? 'en'
  const address = checkoutUrl(payment, paying.baseUrl)
  const merchantName = await paying.merchantName(payment.merchant_id)
  const items = itemsOf(payment)
  const save = saveRequestOf(payment)
  return {
    description: payment.title ?? payment.description ?? merchantName,
    merchantName,
    ...(items.length > 0 && {
      items: items.map(({ name, quantity, unitMinor }) => ({ name, quantity, unitMinor })),
    }),
    statementDescriptor: await paying.statementDescriptor?.(payment.merchant_id),
    txRef: payment.tx_ref,
    email: payment.email,
    firstName: payment.first_name,
    lastName: payment.last_name,
    language,
    returnUrl: `${address}/return?lang=${languageOf(language)}`,
    cancelUrl: `${address}/left?lang=${languageOf(language)}`,
    expiresAt: new Date(attempt.page_expires_at ?? attempt.started_at),
    ...(save && { save: { agreement: save.agreement, customerRef: save.customerRef } }),
    // Most payments have no customer that could have saved anything.
    ...(payment.saving !== null &&
      !save && { savedToken: await paying.savedMethods?.tokenAt(payment, attempt.account_id) }),
  }
}
