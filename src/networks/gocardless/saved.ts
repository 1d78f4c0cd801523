import type { DeclineReason } from '../../core/networks/connector.ts'
import type {
  Account,
  HostedOrderKey,
  HostedSavedOrder,
  HostedStatus,
  NetworkMethod,
  SavedMethod,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { metadataOf } from '../../core/networks/order-metadata.ts'
import { ask, bodyOf, list, memberOf, name, type GoCardlessWay } from './client.ts'
import { moneyOf } from './money.ts'
import type { Resources } from './resources.ts'

// A saved bank account is a mandate; a charge without the customer is a payment on it, which takes days.

type Payment = Resources['payments']

const schemes: Readonly<Record<string, string>> = { GBP: 'bacs', EUR: 'sepa_core' }

/** The part of a billing request that asks for a mandate, next to its instant payment. */
export function mandateRequestOf(currency: string, metadata: Record<string, string>) {
  return { currency, scheme: schemes[currency], metadata }
}

/** The mandate that a paid billing request made. */
export function savedBy({ links, resources }: Resources['billing_requests']): SavedMethod | undefined {
  const mandate = links?.mandate_request_mandate
  if (mandate === undefined) return undefined
  const { bank_name: bank, account_number_ending: ending = '' } = resources?.customer_bank_account ?? {}
  return {
    reference: mandate,
    kind: 'debit',
    ...(bank !== undefined && bank !== null && bank !== '' && { brand: bank.slice(0, 40) }),
    // Most accounts end in two digits here, which are no four.
    ...(/^\d{4}$/.test(ending) && { last4: ending }),
  }
}

export function isCharge({ token, connectorReference }: HostedOrderKey): boolean {
  return token !== undefined || connectorReference?.startsWith('PM') === true
}

export async function chargeSaved(
  way: GoCardlessWay,
  account: Account,
  order: HostedSavedOrder,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const send = {
    payments: {
      amount: Number(order.amountMinor),
      currency: order.currency,
      description: order.description.slice(0, 100),
      metadata: metadataOf(order),
      links: { mandate: order.token },
    },
  }
  const { idempotencyKey } = order
  const made = await ask(way, account, { path: '/payments', idempotencyKey, send }, signal)
  if (made.kind === 'ok') return statusOf(way, account, memberOf(made.body, 'payments'), signal)
  if (made.kind === 'made_before')
    return fetchCharge(way, account, { ...order, connectorReference: made.id }, signal)
  // Without the right to charge nothing was made, and that is for the merchant to put right.
  if (made.status === 401 || made.status === 403) bodyOf(made)
  const isEnded = made.reason.startsWith('mandate_') || made.status === 404
  return { kind: 'declined', reason: isEnded ? 'method_ended' : 'processing_error' }
}

export async function fetchCharge(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const payment = await readPayment(way, account, order, signal)
  return payment ? statusOf(way, account, payment, signal) : { kind: 'not_found' }
}

/** As in the other lists: the clocks of both may differ. */
const clocksDifferMs = 10 * 60_000

async function readPayment(
  way: GoCardlessWay,
  account: Account,
  { connectorReference, token, startedAt, idempotencyKey }: HostedOrderKey,
  signal: AbortSignal,
): Promise<Payment | undefined> {
  if (connectorReference !== undefined) {
    const path = `/payments/${encodeURIComponent(connectorReference)}`
    const body = bodyOf(await ask(way, account, { path }, signal))
    return body && memberOf(body, 'payments')
  }
  const since = new Date(startedAt.getTime() - clocksDifferMs).toISOString()
  const filter = { 'created_at[gte]': since, ...(token !== undefined && { mandate: token }) }
  for await (const payment of list(way, account, 'payments', filter, signal))
    if (payment.metadata?.['florin_key'] === idempotencyKey) return payment
  return undefined
}

/** Our calls end after seconds: one that left no trace until then made nothing. */
const requestLifeMs = 10 * 60_000

/**
 * GoCardless has nothing that uses up a key without making a payment. So a charge that it has not seen is given up only
 * when its request can't be on the way any more. Should it arrive all the same, its callback says so, days before the money moves.
 */
export async function withdrawCharge(
  way: GoCardlessWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const status = await fetchCharge(way, account, order, signal)
  const ageMs = way.now().getTime() - order.startedAt.getTime()
  if (status.kind === 'not_found' && ageMs < requestLifeMs)
    throw new NoAnswer(name, 'a request may still be on its way')
  return status
}

/** Cancelling a mandate that has ended is refused with 422, and one that GoCardless doesn't know with 404. */
export async function forget(
  way: GoCardlessWay,
  account: Account,
  mandate: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/mandates/${encodeURIComponent(mandate)}/actions/cancel`
  const ended = await ask(way, account, { path, send: { data: {} } }, signal)
  if (ended.kind === 'refused' && ended.status !== 422) bodyOf(ended)
}

const ended = new Set(['failed', 'cancelled', 'expired', 'consumed', 'blocked'])

export async function fetchMethod(
  way: GoCardlessWay,
  account: Account,
  mandate: string,
  signal: AbortSignal,
): Promise<NetworkMethod | undefined> {
  const body = bodyOf(await ask(way, account, { path: `/mandates/${encodeURIComponent(mandate)}` }, signal))
  if (!body) return undefined
  const { status, metadata } = memberOf(body, 'mandates')
  return { isEnded: ended.has(status), paymentNumber: metadata?.['florin_payment'] }
}

// What came back after it was confirmed stays charged: fetchDispute tells of it.
const paid = new Set(['confirmed', 'paid_out', 'charged_back'])
const failed = new Set(['failed', 'cancelled', 'customer_approval_denied'])

async function statusOf(
  way: GoCardlessWay,
  account: Account,
  payment: Payment,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const { id, status } = payment
  if (status === 'failed') return { kind: 'declined', reason: await reasonOf(way, account, payment, signal) }
  if (failed.has(status)) return { kind: 'declined', reason: 'declined' }
  if (!paid.has(status)) return { kind: 'pending', connectorReference: id }
  return { kind: 'charged', connectorReference: id, chargeReference: id, money: moneyOf(payment) }
}

const reasons: Readonly<Record<string, DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  // Bacs says nothing else of an account without enough money.
  refer_to_payer: 'insufficient_funds',
  ...Object.fromEntries(
    [
      'account_blocked_for_any_financial_transaction',
      'bank_account_closed',
      'bank_account_transferred',
      'direct_debit_not_enabled',
      'invalid_bank_details',
      'mandate_cancelled',
      'mandate_expired',
      'mandate_suspended_by_payer',
      'payer_deceased',
    ].map((cause) => [cause, 'method_ended'] as const),
  ),
}

/** A payment itself doesn't say why it failed; its events do. */
async function reasonOf(
  way: GoCardlessWay,
  account: Account,
  { id }: Payment,
  signal: AbortSignal,
): Promise<DeclineReason> {
  for await (const event of list(way, account, 'events', { payment: id, action: 'failed' }, signal))
    return reasons[event.details?.cause ?? ''] ?? 'declined'
  return 'declined'
}
