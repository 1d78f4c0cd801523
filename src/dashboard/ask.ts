import type { FastifyRequest } from 'fastify'
import type { Csv, SendCsv } from '../http/csv/send-csv.ts'
import type { Html } from '../http/html.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Page, Stylesheet } from '../http/page.ts'
import type { PagePolicy } from '../http/security.ts'
import type { FormFields } from '../input/form-fields.ts'
import type { Core } from '../jobs/core.ts'
import type { HostedConnector } from '../connectors/hosted.ts'
import type { Accounts } from '../merchants/accounts/accounts.ts'
import type { FindMerchant, Merchant } from '../merchants/authenticate.ts'
import type { Linking } from '../links/linking.ts'
import type { Mode } from '../merchants/mode.ts'
import type { Checked as CheckedPicture } from '../merchants/pictures/check-picture.ts'
import type { Pictures } from '../merchants/pictures/pictures.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { IpnEvent } from '../notifications/events.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { Paying } from '../payments/attempts/paying.ts'
import type { CardTesting } from '../payments/card-testing/card-testing.ts'
import type { CreatePayment } from '../payments/create-payment.ts'
import type { FindPayment } from '../payments/find-payment.ts'
import type { Site } from '../people/factors/passkeys.ts'
import type { People, Person, Visitor } from '../people/people.ts'
import type { Right, Role } from '../people/rights.ts'
import type { FreshSession, Session } from '../people/sessions/sessions.ts'
import type { Refunding } from '../refunds/refunding.ts'
import type { Cookies } from './cookies.ts'
import type { NoticeName } from './notices.ts'

// What a page of the dashboard is given, and what it may answer. There is one kind of each for every kind of visitor, so
// that a page which needs a person can't be reached without one: it would not compile.

/** The rooms that pages ask. What a page shows or does is a verb of one of them. */
export type Rooms = {
  readonly core: Core
  readonly people: People
  readonly findMerchant: FindMerchant
  readonly paying: Paying
  readonly refunding: Refunding
  readonly linking: Linking
  readonly createPayment: CreatePayment
  readonly findPayment: FindPayment
  readonly notifications: Notifications
  readonly cardTesting: CardTesting
  readonly secrets: Secrets
  readonly pictures: Pictures
  /** A logo at an address, fetched once and checked. */
  readonly fetchLogo: (url: string) => Promise<CheckedPicture>
  /** The checkout and its receipt, drawn for a sample payment. */
  readonly samples: Samples
  /** When the networks called last, by account; those that never did are left out. */
  readonly lastCallbacks: (
    merchantId: number,
    accountIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Date>>
  readonly live: { readonly networks: readonly HostedConnector[]; readonly accounts: Accounts }
  readonly sendCsv: SendCsv
  readonly metrics: Metrics
  /** What has to be there before a merchant takes real money. Asks networks, or remembers what they said last. */
  readonly checkLive: (merchantId: number, how?: 'ask' | 'remember') => Promise<readonly LiveFinding[]>
  /** What a sample of an event tells of, as JSON text. */
  readonly sampleTransaction: (mode: Mode, event: IpnEvent) => string
}

export type Sample = {
  readonly merchant: Pick<Merchant, 'id' | 'name' | 'brand'>
  readonly mode: Mode
}
export type Samples = {
  readonly checkout: (sample: Sample) => Page
  /** Undefined without a name that can be written. */
  readonly receipt: (sample: Sample) => Promise<Buffer | undefined>
}

export type LiveFinding = {
  readonly about: 'network' | 'currency' | 'address' | 'mail' | 'database'
  readonly is: 'ok' | 'missing'
  readonly what: string
  /** What to do about it. */
  readonly remedy?: string
  /** Without it nobody loses money or a payment. */
  readonly skippable?: true
}

export type Dashboard = Rooms & {
  /** The path of BASE_URL, before every path of ours. */
  readonly prefix: string
  readonly baseUrl: string
  readonly hasMailServer: boolean
  /** Of this program. */
  readonly version: string
  /** 0: requests are not kept. */
  readonly requestLogDays: number
  readonly cookies: Cookies
}

export type Ask = {
  readonly dashboard: Dashboard
  readonly core: Core
  readonly people: People
  readonly request: FastifyRequest
  /** Of the form that was sent. */
  readonly fields: FormFields
  /** Of a route that takes them; what a browser sends for a field that was left empty has no bytes. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly visitor: Visitor
  /** For every form of the page. */
  readonly token: string
  /** Where this page is, to come back to. */
  readonly here: string
  readonly notice: NoticeName | undefined
  /** Undefined where passkeys do not work. */
  readonly site: Site | undefined
  readonly own: Own | undefined
}

/** Who is signed in. */
export type Own = {
  readonly person: Person
  readonly session: Session
  readonly cookie: string
  readonly merchants: readonly OwnMerchant[]
}

export type OwnMerchant = { readonly id: number; readonly name: string }

export type HalfAsk = Ask & { readonly half: { readonly session: Session; readonly cookie: string } }
export type PersonAsk = Ask & { readonly own: Own }
export type MemberAsk = PersonAsk & { readonly place: Place }

/** Whose page it is, in which mode, and as what one is there. */
export type Place = {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly role: Role
  /** The beginning of every path of this merchant and mode. */
  readonly home: string
}

export type Content = {
  readonly title: string
  readonly body: Html
  /** narrow: one card and nothing around it, as for signing in. */
  readonly isNarrow?: boolean
  /** Of this page alone, besides those of every page. */
  readonly styles?: readonly Stylesheet[]
  /** It shows an answer of the kind `framed`. */
  readonly hasFrame?: boolean
}

export type Answer = Cookied &
  (
    | {
        readonly kind: 'page'
        readonly content: Content
        readonly status?: number
        readonly headers?: Headers
        readonly policy?: PagePolicy
      }
    | { readonly kind: 'go'; readonly to: string; readonly notice?: NoticeName }
    | { readonly kind: 'json'; readonly body: unknown }
    | { readonly kind: 'csv'; readonly csv: Csv }
    /** In a frame of a page of ours, to be looked at and nothing else. */
    | { readonly kind: 'framed'; readonly page: Page }
    | { readonly kind: 'framed_text'; readonly type: string; readonly body: string | Buffer }
  )

type Headers = Readonly<Record<string, string>>

type Cookied = {
  /** The session that the browser is to have from now on; null for none. */
  readonly session?: FreshSession | null
  /** By which the browser is to be known again. */
  readonly knownBy?: string
  /** Of a journey to an OpenID provider; null when it is over. */
  readonly flow?: string | null
  /** The shops whose first steps are shown no more. */
  readonly hidesStart?: string
}

/** Groups have a heading of their own in the navigation; what has none comes first. */
export type NavGroup = 'Developers' | 'Settings'
export type NavPlace = { readonly label: string; readonly order: number; readonly group?: NavGroup }

type Common = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The person must have shown a password or a passkey within ten minutes. */
  readonly isFresh: boolean
  /** Its form brings files: it is multipart, and may be larger than others. */
  readonly takesFiles?: true
  readonly nav?: NavPlace
}

/** Who may open it stands in the route itself: there is no route without. */
export type Route = Common &
  (
    | { readonly access: 'anyone'; run(ask: Ask): Promise<Answer> | Answer }
    | { readonly access: 'half'; run(ask: HalfAsk): Promise<Answer> | Answer }
    | { readonly access: 'person'; run(ask: PersonAsk): Promise<Answer> | Answer }
    | { readonly access: 'operator'; run(ask: PersonAsk): Promise<Answer> | Answer }
    | { readonly access: 'member'; readonly right: Right; run(ask: MemberAsk): Promise<Answer> | Answer }
  )
