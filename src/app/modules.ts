import type { NotificationEvent } from '../core/notifications/events.ts'
import type { MailWriter } from '../core/notifications/mail/mail-writer.ts'
import { eventsOfPayments } from '../core/payments/sample-transaction.ts'
import type { Recount } from '../core/payments/slots/recount.ts'
import { backup } from '../modules/backup/module.ts'
import { cluster } from '../modules/cluster/module.ts'
import { customers } from '../modules/customers/module.ts'
import { demo } from '../modules/demo/module.ts'
import { disputes } from '../modules/disputes/module.ts'
import { figures } from '../modules/figures/module.ts'
import { links } from '../modules/links/module.ts'
import type { Module } from '../modules/module.ts'
import { payouts } from '../modules/payouts/module.ts'
import { refunds } from '../modules/refunds/module.ts'
import { requestLog } from '../modules/request-log/module.ts'
import { savedMethods } from '../modules/saved-methods/module.ts'
import { goCardless } from '../networks/gocardless/module.ts'
import { payPal } from '../networks/paypal/module.ts'
import { paystack } from '../networks/paystack/module.ts'
import { stripe } from '../networks/stripe/module.ts'

/** Every module, in the order in which lists show what they bring. To leave one out, take its line away. */
export const allModules: readonly Module[] = [
  refunds,
  payouts,
  links,
  savedMethods,
  disputes,
  figures,
  customers,
  requestLog,
  backup,
  cluster,
  demo,
  stripe,
  goCardless,
  payPal,
  paystack,
]

/** What merchants can be notified of. */
export function eventsOf(modules: readonly Module[]): readonly NotificationEvent[] {
  return [...eventsOfPayments, ...modules.flatMap(({ events = [] }) => events)]
}

export const events = eventsOf(allModules)

/** For `florin totals rebuild`. */
export const recounts: readonly Recount[] = allModules.flatMap(({ recount }) => recount ?? [])

/** Of mail that modules send. */
export const mailWritersOf = (modules: readonly Module[]): readonly MailWriter[] =>
  modules.flatMap(({ mails = [] }) => mails)

/** Of the checkout's pages. */
export function stylesOf(modules: readonly Module[]): readonly URL[] {
  return modules.flatMap(({ styles = [] }) => styles)
}
