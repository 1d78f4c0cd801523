import type { EventHandlers } from '../core/callbacks/work-on-events.ts'
import type { CheckoutModule } from '../core/checkout/checkout.ts'
import type { ReceiptFiles } from '../core/checkout/receipt/files/receipt-files.ts'
import type { Base, Services } from '../core/core-services.ts'
import type { Pictures } from '../core/merchants/pictures/pictures.ts'
import type { HostedConnector } from '../core/networks/hosted.ts'
import type { NotificationEvent } from '../core/notifications/events.ts'
import type { MailWriter } from '../core/notifications/mail/mail-writer.ts'
import type { Attach } from '../core/notifications/mail/send-mail.ts'
import type { FeesOfFound } from '../core/payments/slots/fees.ts'
import type { SavedMethods } from '../core/payments/saving/saved-methods.ts'
import type { PaymentMembers } from '../core/payments/slots/payment-members.ts'
import type { Recount } from '../core/payments/slots/recount.ts'
import type { RoomData } from '../core/privacy/room-data.ts'
import type { Entry } from '../cli/terminal/command.ts'
import type { Route } from '../dashboard/ask.ts'
import type { People } from '../dashboard/people/people.ts'
import type { DashboardPart } from '../dashboard/slots.ts'
import type { ChapterText, Source } from '../guide/book.ts'
import type { OnAnswer } from '../platform/http/note-answer.ts'
import type { Operation, Webhook } from '../platform/http/openapi/openapi.ts'
import type { Server } from '../platform/http/server.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { Kept } from '../platform/jobs/pruning.ts'
import type { Warner } from '../platform/jobs/warner.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { Config } from '../platform/settings/config.ts'

/** All that Florin knows of a module: src/app/modules.ts lists them. docs/slots.md says who uses what. */
export type Module = {
  readonly name: string
  /** Other modules that it uses. */
  readonly needs?: readonly string[]
  /** Whoever has rows in them can't leave this module out. */
  readonly tables?: readonly string[]

  // Known without a process
  readonly data?: RoomData
  readonly commands?: readonly Entry[]
  readonly operations?: readonly Operation[]
  readonly webhooks?: readonly Webhook[]
  /** Groups of its operations, and chapters of the guide, by their names. */
  readonly groups?: Readonly<Record<string, string>>
  readonly chapters?: Readonly<Record<string, (source: Source) => ChapterText>>
  readonly events?: readonly NotificationEvent[]
  readonly mails?: readonly MailWriter[]
  /** Of its pages of the checkout. */
  readonly styles?: readonly URL[]
  /** On pages of the dashboard that aren't its own. */
  readonly part?: DashboardPart
  readonly recount?: Recount
  readonly warner?: Warner
  readonly fees?: FeesOfFound
  readonly kept?: (config: Config) => Kept
  readonly network?: (settings: NetworkSettings, outbound: Outbound, now: () => Date) => HostedConnector

  // Of one process
  /** After every answer to a caller with a key. */
  readonly watch?: (config: Config, base: Pick<Base, 'db' | 'metrics' | 'log'>) => Watch | undefined
  /** Before there are payments: what works in their commits. */
  readonly savedMethods?: (base: Base) => SavedMethods
  readonly attach?: (files: Pick<ReceiptFiles, 'inTurn'>, pictures: Pictures) => Attach
  readonly open?: (given: Given) => Opened
}

/** Where stand-ins are, if not the networks. */
export type NetworkSettings = Pick<Config, 'STRIPE_URL' | 'GOCARDLESS_URL' | 'PAYPAL_URL' | 'PAYSTACK_URL'>

export type Watch = { readonly note: OnAnswer; flush(): Promise<void>; close(): Promise<void> }

export type Given = Services & {
  readonly people: People
  readonly networks: readonly HostedConnector[]
}

export type Opened = {
  readonly addRoutes?: (server: Server) => void
  readonly jobs?: readonly Job[]
  readonly callbacks?: EventHandlers
  readonly members?: PaymentMembers
  readonly checkout?: CheckoutModule
  /** Of the dashboard. `parts`: of all modules, for its own pages. */
  readonly pages?: (parts: readonly DashboardPart[]) => readonly Route[]
}
