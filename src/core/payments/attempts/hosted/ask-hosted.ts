import type { HostedOrderKey, HostedStatus, Withdrawn } from '../../../networks/hosted.ts'
import type { AttemptRow } from '../attempt-store.ts'
import { keyMemoryMs } from '../check-schedule.ts'
import type { NetworkOutcome } from '../network-word.ts'
import type { PaymentRow } from '../../store.ts'
import type { Paying } from '../paying.ts'
import { accountOf, type Reached } from './account-of.ts'
import { hostedOrder, hostedOrderKey, hostedPage } from './hosted-order.ts'
import { findPaymentRow } from './hosted-store.ts'

// How a network with its own page is called about an attempt. Nothing here writes: answers go through apply-outcome
// like all others.

/** The page can still be paid on, and that is as it should be. */
export type StillOpen = { readonly kind: 'still_open' }

/** Ends what can still be ended. Anything else than charged, pending and left open can't charge afterwards. */
export async function withdrawAtNetwork(
  paying: Paying,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const { connector, account } = await accountOf(paying, attempt)
  // This network takes nothing until told to, and it is told only once the attempt is submitted. So it needn't be
  // asked, and an attempt that became submitted in the meantime stays as it is.
  if (connector.capture && isUntold(attempt)) return { kind: 'not_made', reason: 'challenge_abandoned' }
  return withdrawnWord(await connector.withdraw(account, await orderAt(paying, attempt), signal))
}

/** With the token of the saved method that it charges, by which the network finds a charge whose answer was lost. */
async function orderAt(paying: Paying, attempt: AttemptRow): Promise<HostedOrderKey> {
  const order = hostedOrderKey(attempt)
  if (attempt.saved_method_id === null) return order
  return { ...order, token: await paying.savedMethods?.tokenOf(attempt.merchant_id, attempt.saved_method_id) }
}

export async function askHosted(
  paying: Paying,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<NetworkOutcome | StillOpen> {
  if (attempt.saved_method_id !== null) return askAboutCharge(paying, attempt, signal)
  if (attempt.connector_reference === null) return findLostPage(paying, attempt, signal)
  const { connector, account } = await accountOf(paying, attempt)
  const status = await connector.fetch(account, hostedOrderKey(attempt), signal)
  if (status.kind !== 'open' && status.kind !== 'not_found') return wordOf(status)
  // For an unknown attempt with a page, the lost answer was to a withdrawal: the customer left the page.
  const isLeft = attempt.state === 'unknown' || isOver(paying, attempt, await paymentOf(paying, attempt))
  if (!isLeft) return { kind: 'still_open' }
  return withdrawAtNetwork(paying, attempt, signal)
}

/**
 * A charge without the customer, whose answer was lost or is still to come. It is never sent again: one that the network
 * has not seen is shut out there, so that "not charged" stays true.
 */
async function askAboutCharge(
  paying: Paying,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const { connector, account } = await accountOf(paying, attempt)
  const order = await orderAt(paying, attempt)
  const status = await connector.fetch(account, order, signal)
  const isLost = status.kind === 'open' || status.kind === 'not_found' || status.kind === 'approved'
  if (!isLost) return wordOf(status)
  const ended = await connector.withdraw(account, order, signal)
  if (ended.kind === 'charged' || ended.kind === 'pending') return wordOf(ended)
  const isShutOut = ended.kind === 'declined' || ended.kind === 'not_found'
  return isShutOut ? { kind: 'declined', reason: 'network_silent' } : { kind: 'no_answer' }
}

function isUntold({ state }: AttemptRow): boolean {
  return state === 'started' || state === 'action_required'
}

/** For an attempt that we gave up: whether money came all the same. Nothing is opened or closed. */
export async function askGivenUp(
  paying: Paying,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<NetworkOutcome | StillOpen> {
  const { connector, account } = await accountOf(paying, attempt)
  const status = await connector.fetch(account, await orderAt(paying, attempt), signal)
  return status.kind === 'charged' ? wordOf(status) : { kind: 'still_open' }
}

/**
 * A server ended before it got the answer to `open`. As long as the network remembers the key, sending it again gives
 * the same page; later, or when the page is no longer needed, it is withdrawn.
 */
async function findLostPage(
  paying: Paying,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const payment = await paymentOf(paying, attempt)
  const ageMs = paying.now().getTime() - Date.parse(attempt.started_at)
  const isWanted = !isOver(paying, attempt, payment) && attempt.state === 'started'
  if (isWanted && ageMs < keyMemoryMs) return openPage(paying, attempt, payment, signal)
  return withdrawAtNetwork(paying, attempt, signal)
}

export async function openPage(
  paying: Paying,
  attempt: AttemptRow,
  payment: PaymentRow,
  signal: AbortSignal,
): Promise<NetworkOutcome> {
  const { connector, account }: Reached = await accountOf(paying, attempt)
  const page = await hostedPage(paying, attempt, payment)
  const opened = await connector.open(account, hostedOrder(attempt, payment), page, signal)
  const about = { number: attempt.number, attempt: attempt.attempt, account: account.id }
  if (opened.kind === 'refused') {
    paying.log.error({ ...about, why: opened.why }, 'A network refused to create a payment page')
    return { kind: 'not_made', reason: 'processing_error' }
  }
  if (!isSafePage(opened.url, payment.mode)) {
    paying.log.error(about, 'A network returned a URL that Florin does not send customers to')
    return { kind: 'not_made', reason: 'processing_error' }
  }
  return { kind: 'opened', connectorReference: opened.connectorReference, url: opened.url }
}

/** Customers are sent to it by our own page, so it is looked at although the network is trusted. */
function isSafePage(url: string, mode: PaymentRow['mode']): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const mayBePlain = mode === 'test' || loopback.has(hostname)
  return protocol === 'https:' || (protocol === 'http:' && mayBePlain)
}

/** A network's stand-in on the same machine. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function withdrawnWord(status: Withdrawn): NetworkOutcome {
  if (status.kind === 'still_open') return { kind: 'left_open' }
  // Not closed, against the contract: it must not count as closed.
  if (status.kind === 'open') return { kind: 'no_answer' }
  if (status.kind === 'not_found') return { kind: 'declined', reason: 'challenge_abandoned' }
  return wordOf(status)
}

/** In the words of every outcome. */
export function wordOf(status: Exclude<HostedStatus, { kind: 'open' | 'not_found' }>): NetworkOutcome {
  if (status.kind === 'approved') return { kind: 'approved' }
  if (status.kind !== 'pending') return status
  const { kind, chargeReference } = status
  return chargeReference === undefined ? { kind } : { kind, chargeReference }
}

function isOver(paying: Paying, attempt: AttemptRow, payment: PaymentRow): boolean {
  const hasEnded =
    attempt.page_expires_at !== null && Date.parse(attempt.page_expires_at) <= paying.now().getTime()
  return hasEnded || payment.state !== 'pending'
}

async function paymentOf(paying: Paying, attempt: AttemptRow): Promise<PaymentRow> {
  const payment = await findPaymentRow(paying.db, { merchantId: attempt.merchant_id, number: attempt.number })
  if (!payment) throw new Error('An attempt has no payment')
  return payment
}
