import type {
  Account,
  HostedOrder,
  HostedOrderKey,
  HostedPage,
  HostedStatus,
  Opened,
  Withdrawn,
} from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { metadataOf } from '../../core/networks/order-metadata.ts'
import { channelsOf, toPaystack } from './currencies.ts'
import { ask, dataOf, isMissing, isStranger, moneyOf, name, objectOf, type PaystackWay } from './client.ts'
import type { Resources } from './resources.ts'
import { savedBy, saveMark } from './saved.ts'

// An order is a transaction with our key as its reference. Paystack takes a reference once and tells the address of its page
// once; it has no call that closes a page.

export async function open(
  way: PaystackWay,
  account: Account,
  order: HostedOrder,
  page: HostedPage,
  signal: AbortSignal,
): Promise<Opened> {
  if (page.email === '') return { kind: 'refused', why: 'Paystack needs the customer’s e-mail address' }
  const send = transactionOf(order, page)
  const made = await ask(way, account, { path: '/transaction/initialize', send }, signal)
  if (made.kind === 'refused') {
    // Nobody has ever seen the page whose address was lost, so the customer can choose again.
    if (made.code === 'duplicate_reference') throw new NoAnswer(name, 'the page was made by an earlier call')
    // Something can still be paid: a key that was revoked says nothing about it.
    if (order.connectorReference !== undefined) dataOf(made)
    return { kind: 'refused', why: `${made.code}: ${made.why}` }
  }
  const { authorization_url: url } = objectOf(dataOf(made)) as { authorization_url?: unknown }
  if (typeof url !== 'string') throw new NoAnswer(name, 'its answer has no URL')
  return { kind: 'open', connectorReference: order.idempotencyKey, url }
}

function transactionOf(order: HostedOrder, page: HostedPage) {
  return {
    reference: order.idempotencyKey,
    email: page.email,
    amount: toPaystack(order.amountMinor, order.currency),
    currency: order.currency,
    channels: channelsOf(order.currency, order.method),
    callback_url: page.returnUrl,
    // Without it, who cancels stays on Paystack's page.
    metadata: { ...metadataOf(order), cancel_action: page.cancelUrl, ...(page.save && saveMark) },
  }
}

export async function fetch(
  way: PaystackWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<HostedStatus> {
  const path = `/transaction/verify/${encodeURIComponent(order.idempotencyKey)}`
  const answer = await ask(way, account, { path }, signal)
  if (isMissing(answer) && !isStranger(answer)) return { kind: 'not_found' }
  const found = objectOf(dataOf(answer)) as Resources['transaction']
  if (found.reference !== order.idempotencyKey) throw new NoAnswer(name, 'it told of another transaction')
  return statusOf(found)
}

export async function withdraw(
  way: PaystackWay,
  account: Account,
  order: HostedOrderKey,
  signal: AbortSignal,
): Promise<Withdrawn> {
  const status = await fetch(way, account, order, signal)
  if (status.kind !== 'open') return status
  // A page whose address never reached us was never shown to anybody, so it can't be paid.
  if (order.connectorReference === undefined) return { kind: 'declined', reason: 'challenge_abandoned' }
  return { kind: 'still_open' }
}

/** The customer can pay on the page: `abandoned` is also said of a page that nobody has looked at yet, and after `failed` they may try again. */
const payable = new Set(['abandoned', 'failed', 'ongoing'])

function statusOf(transaction: Resources['transaction']): HostedStatus {
  const { reference, status, amount, currency } = transaction
  const connectorReference = reference
  if (status === 'success') {
    const money = moneyOf(amount, currency)
    const savedMethod = savedBy(transaction)
    const charged = { connectorReference, chargeReference: reference, money }
    return { kind: 'charged', ...charged, ...(savedMethod && { savedMethod }) }
  }
  if (payable.has(status)) return { kind: 'open', connectorReference }
  // All of it went back before we heard that it was there.
  if (status === 'reversed') return { kind: 'declined', reason: 'processing_error' }
  return { kind: 'pending', connectorReference }
}
