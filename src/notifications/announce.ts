import type { Transaction } from '../database/database.ts'
import { erasedEmail } from '../input/erased.ts'
import type { CustomerMail, ReceiptFacts } from './mail/compose-mail.ts'
import { mailOrigin } from './queues.ts'
import { drawDeliveryId } from './delivery-id.ts'
import type { Outbox } from './outbox.ts'
import { receiverOf } from './receiver-of.ts'
import type { NewDelivery } from './store.ts'
import type { Mode } from '../merchants/mode.ts'

// What a state change has to say is written in the state change's own commit, so neither can be there without the
// other. Delivering comes later and may be repeated.

export type Announcement = {
  readonly merchantId: number
  /** The 24 digits that name the payment within its merchant. */
  readonly number: string
  readonly mode: Mode
  readonly event: string
  /** Where the merchant wants to hear of it; null: nowhere. */
  readonly callbackUrl: string | null
  /** The transaction or the refund as its look-up would show it at this moment, as JSON text. */
  readonly dataJson: string
  readonly customer: Customer
}

export type CustomerAnnouncement = Omit<Announcement, 'callbackUrl' | 'dataJson'>

export type Customer = {
  readonly email: string
  readonly firstName: string
  /** As the checkout page was shown; null when nobody opened it. */
  readonly language: string | null
  readonly amountMinor: bigint
  /** What went back: in all, and in the mail about a refund, by this one. */
  readonly refundedMinor: bigint
  /** Of a refund, in the words of the merchant. */
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
  const deliveries = announcements
    .flatMap((announcement) => [ipnOf(announcement), mailOf(announcement)])
    .filter((delivery) => delivery !== undefined)
  await outbox.write(tx, deliveries)
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
  }
}

const mailOn: Readonly<Record<string, CustomerMail['template']>> = {
  'payment.success': 'receipt',
  'refund.success': 'refund',
  'payment.failed': 'failure',
  // By a network that takes days: the merchant hears of it when it is decided.
  'payment.on_its_way': 'on_its_way',
  'payment.not_arrived': 'failure',
}

function mailOf(announcement: CustomerAnnouncement): NewDelivery | undefined {
  const template = mailOn[announcement.event]
  // Somebody who was forgotten gets no e-mail about a refund that comes later.
  if (template === undefined || announcement.customer.email === erasedEmail) return undefined
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
