import type { Transaction } from '../../platform/database/database.ts'
import { erasedEmail } from '../../platform/input/erased.ts'
import type { CustomerMail, ReceiptFacts } from './mail/compose-mail.ts'
import { mailOrigin } from './queues.ts'
import { drawDeliveryId } from './delivery-id.ts'
import type { Outbox } from './outbox.ts'
import { receiverOf } from './receiver-of.ts'
import type { NewDelivery } from './store.ts'
import type { Mode } from '../merchants/mode.ts'

// Notifications are written in the commit of the state change, so neither exists without the other. Delivery comes
// later and may be repeated.

export type Announcement = {
  readonly merchantId: number
  /** The 24 digits that name the payment within its merchant. */
  readonly number: string
  readonly mode: Mode
  readonly event: string
  /** The URL to notify; null: none. */
  readonly callbackUrl: string | null
  /** What the server at that URL expects besides (ipn/send-ipn.ts). */
  readonly dialect?: 'family' | null
  /** The transaction or the refund as its look-up would show it at this moment, as JSON text. */
  readonly dataJson: string
  readonly customer: Customer
  /** The merchant's own affair: the customer gets no e-mail. */
  readonly quiet?: true
}

export type CustomerAnnouncement = Omit<Announcement, 'callbackUrl' | 'dialect' | 'dataJson'>

export type Customer = {
  readonly email: string
  readonly firstName: string
  /** The language of the checkout page; null if it was never opened. */
  readonly language: string | null
  readonly amountMinor: bigint
  /** The amount refunded: in total, and in an e-mail about a refund, by this one. */
  readonly refundedMinor: bigint
  /** A refund's reason, in the merchant's words. */
  readonly reason?: string | undefined
  readonly refundRef?: string | undefined
  readonly currency: string
  readonly reference: string
  readonly txRef: string
} & ReceiptFacts

export async function announceAll(
  outbox: Outbox,
  tx: Transaction,
  announcements: readonly Announcement[],
): Promise<void> {
  await outbox.write(tx, announcements.flatMap(deliveriesOf))
}

/** What is sent about an announcement: to the merchant's server, and to the customer. */
export function deliveriesOf(announcement: Announcement): NewDelivery[] {
  const mail = announcement.quiet ? undefined : mailOf(announcement)
  return [ipnOf(announcement), mail].filter((delivery) => delivery !== undefined)
}

/** For what concerns the customer alone. */
export async function mailCustomers(
  outbox: Outbox,
  tx: Transaction,
  announcements: readonly CustomerAnnouncement[],
): Promise<void> {
  const mails = announcements.map(mailOf).filter((delivery) => delivery !== undefined)
  if (mails.length > 0) await outbox.write(tx, mails)
}

function ipnOf(announcement: Announcement): NewDelivery {
  const { mode, dataJson, event } = announcement
  const origin = receiverOf(announcement.callbackUrl)
  const callbackUrl = origin === '' ? null : announcement.callbackUrl
  // A developer who listens from behind a router gives no callback_url, or one that is not there yet.
  const withoutUrl = mode === 'live' ? 'nowhere' : 'kept'
  return {
    merchant_id: announcement.merchantId,
    id: drawDeliveryId('evt'),
    kind: 'ipn',
    mode,
    event,
    number: announcement.number,
    target: callbackUrl ?? '',
    origin,
    body: ipnBody(event, dataJson),
    state: callbackUrl === null ? withoutUrl : 'waiting',
    dialect: announcement.dialect ?? null,
  }
}

const mailOn: Readonly<Record<string, CustomerMail['template']>> = {
  'payment.success': 'receipt',
  'refund.success': 'refund',
  'payment.failed': 'failure',
  // At a network that takes days: the merchant is notified when it is decided.
  'payment.on_its_way': 'on_its_way',
  'payment.not_arrived': 'failure',
  'payment.needs_customer': 'needs_customer',
}

function mailOf(announcement: CustomerAnnouncement): NewDelivery | undefined {
  const template = mailOn[announcement.event]
  const to = announcement.customer.email
  // Somebody who was forgotten gets no e-mail about a refund that comes later.
  if (template === undefined || to === erasedEmail || to === '') return undefined
  const { email, language, amountMinor, refundedMinor, ...facts } = announcement.customer
  const mail: CustomerMail = {
    template,
    ...facts,
    language: language ?? 'en',
    amountMinor: String(amountMinor),
    refundedMinor: String(refundedMinor),
  }
  return {
    merchant_id: announcement.merchantId,
    id: drawDeliveryId('msg'),
    kind: 'mail',
    mode: announcement.mode,
    event: announcement.event,
    number: announcement.number,
    target: email,
    origin: mailOrigin,
    body: JSON.stringify(mail),
    state: announcement.mode === 'test' ? 'kept' : 'waiting',
  }
}

/** Spliced as text, since the transaction holds numbers that a parser would round. */
export function ipnBody(event: string, dataJson: string): string {
  return `{"event":${JSON.stringify(event)},${dataJson.slice(1)}`
}
