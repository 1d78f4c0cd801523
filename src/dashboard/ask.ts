import type { FastifyRequest } from 'fastify'
import type { Csv, SendCsv, WrittenFile } from '../platform/http/csv/send-csv.ts'
import type { Html } from '../platform/http/html.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { RateLimit } from '../platform/http/rate-limit.ts'
import type { Page, Stylesheet } from '../platform/http/page.ts'
import type { PagePolicy } from '../platform/http/security.ts'
import type { FormFields } from '../platform/input/form-fields.ts'
import type { Core } from '../platform/jobs/core.ts'
import type { HostedConnector } from '../core/networks/hosted.ts'
import type { Accounts } from '../core/merchants/accounts/accounts.ts'
import type { FindMerchant, Merchant } from '../core/merchants/authenticate.ts'
import type { Mode } from '../core/merchants/mode.ts'
import type { Checked as CheckedPicture } from '../core/merchants/pictures/check-picture.ts'
import type { Pictures } from '../core/merchants/pictures/pictures.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { NotificationEvent } from '../core/notifications/events.ts'
import type { Notifications } from '../core/notifications/notifications.ts'
import type { Paying } from '../core/payments/attempts/paying.ts'
import type { CardTesting } from '../core/payments/card-testing/card-testing.ts'
import type { CreatePayment } from '../core/payments/create-payment.ts'
import type { FindPayment } from '../core/payments/find-payment.ts'
import type { Site } from './people/factors/passkeys.ts'
import type { People, Person, Visitor } from './people/people.ts'
import type { Right, Role } from './people/rights.ts'
import type { FreshSession, Session } from './people/sessions/sessions.ts'
import type { Rooms as PersonalRooms } from '../core/privacy/customers.ts'
import type { Cookies } from './cookies.ts'
import type { NoticeName } from './notices.ts'

// What a dashboard page receives and what it can return. Each kind of visitor has its own type, so a page that needs a
// signed-in person doesn't compile without one.

/** The modules that pages call. Pages have no rules of their own. */
export type Rooms = {
  readonly core: Core
  readonly people: People
  readonly findMerchant: FindMerchant
  readonly paying: Paying
  readonly createPayment: CreatePayment
  readonly findPayment: FindPayment
  readonly notifications: Notifications
  readonly cardTesting: CardTesting
  readonly secrets: Secrets
  readonly pictures: Pictures
  /** Downloads a logo and checks it. */
  readonly fetchLogo: (url: string) => Promise<CheckedPicture>
  /** The checkout and the receipt of a sample payment. */
  readonly samples: Samples
  /** The last callback of each account; accounts without one are left out. */
  readonly lastCallbacks: (
    merchantId: number,
    accountIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Date>>
  readonly live: { readonly networks: readonly HostedConnector[]; readonly accounts: Accounts }
  readonly sendCsv: SendCsv
  /** Everything in the database that says who a customer is. */
  readonly personalRooms: PersonalRooms
  readonly metrics: Metrics
  /** The steps before a merchant can take real money. Asks the networks, or uses their last answers. */
  readonly checkLive: (merchantId: number, how?: 'ask' | 'remember') => Promise<readonly LiveFinding[]>
  /** What merchants can be notified of. */
  readonly events: readonly NotificationEvent[]
}

export type Sample = {
  readonly merchant: Pick<Merchant, 'id' | 'name' | 'brand'>
  readonly mode: Mode
}
export type Samples = {
  readonly checkout: (sample: Sample) => Page
  /** Undefined if the receipt fonts can't show the name. */
  readonly receipt: (sample: Sample) => Promise<Buffer | undefined>
}

export type LiveFinding = {
  readonly about: 'network' | 'currency' | 'address' | 'mail' | 'database'
  readonly is: 'ok' | 'missing'
  readonly what: string
  /** What to do about it. */
  readonly remedy?: string
  /** Optional: leaving it out loses no money and no payment. */
  readonly skippable?: true
}

export type Dashboard = Rooms & {
  /** The path of BASE_URL; every link starts with it. */
  readonly prefix: string
  readonly baseUrl: string
  readonly hasMailServer: boolean
  /** The running version of Florin. */
  readonly version: string
  /** 0: the request log is off. */
  readonly requestLogDays: number
  readonly cookies: Cookies
  /** The pages of the navigation, in its order. */
  readonly nav: readonly NavRoute[]
  /** Sign-ins with a passkey that one browser or address may begin. */
  readonly passkeyLimit: RateLimit
}

export type Ask = {
  readonly dashboard: Dashboard
  readonly core: Core
  readonly people: People
  readonly request: FastifyRequest
  /** The posted form. */
  readonly fields: FormFields
  /** Uploaded files. Browsers send an empty file for a field left empty. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly visitor: Visitor
  /** The CSRF token for every form on the page. */
  readonly token: string
  /** This page's path and query. */
  readonly here: string
  readonly notice: NoticeName | undefined
  /** Undefined where passkeys don't work. */
  readonly site: Site | undefined
  readonly own: SignedIn | undefined
}

/** The signed-in person, their session and their shops. */
export type SignedIn = {
  readonly person: Person
  readonly session: Session
  readonly cookie: string
  readonly merchants: readonly OwnMerchant[]
  /** How long a session lasts without use: the least of these shops. */
  readonly idleMinutes: number
}

export type OwnMerchant = { readonly id: number; readonly name: string }

export type HalfAsk = Ask & { readonly half: { readonly session: Session; readonly cookie: string } }
export type PersonAsk = Ask & { readonly own: SignedIn }
export type MemberAsk = PersonAsk & { readonly place: Place }

/** The shop and mode of a page, and the visitor's role there. */
export type Place = {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly role: Role
  /** Every path of this merchant and mode starts with it. */
  readonly home: string
}

export type Content = {
  readonly title: string
  readonly body: Html
  /** One card without navigation, as for signing in. */
  readonly isNarrow?: boolean
  /** Extra stylesheets for this page. */
  readonly styles?: readonly Stylesheet[]
  /** The page embeds a `framed` answer. */
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
    | { readonly kind: 'csv'; readonly csv: Csv | WrittenFile }
    /** Shown in a frame on one of our pages; links and forms in it don't work. */
    | { readonly kind: 'framed'; readonly page: Page }
    | { readonly kind: 'framed_text'; readonly type: string; readonly body: string | Buffer }
  )

type Headers = Readonly<Record<string, string>>

type Cookied = {
  /** The browser's new session; null signs out. */
  readonly session?: FreshSession | null
  /** The cookie that marks this device as known. */
  readonly knownBy?: string
  /** The state of an OpenID sign-in; null when it is finished. */
  readonly flow?: string | null
  /** The shops whose first steps are dismissed. */
  readonly hidesStart?: string
}

/** Groups have a heading in the navigation; links without a group come first. */
export type NavGroup = 'Developers' | 'Settings'
export type NavPlace = { readonly label: string; readonly order: number; readonly group?: NavGroup }

type Common = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Needs a password or passkey within the last ten minutes. */
  readonly isFresh: boolean
  /** Sets a password or a passkey: needs no proof for a person who has neither, who came by a sign-in link. */
  readonly setsFirstFactor?: true
  /** The form uploads files (multipart) and may have so many bytes. */
  readonly takesFiles?: number
  readonly nav?: NavPlace
}

/** Every route names who can open it. */
export type Route = Common &
  (
    | { readonly access: 'anyone'; run(ask: Ask): Promise<Answer> | Answer }
    | { readonly access: 'half'; run(ask: HalfAsk): Promise<Answer> | Answer }
    | { readonly access: 'person'; run(ask: PersonAsk): Promise<Answer> | Answer }
    | { readonly access: 'operator'; run(ask: PersonAsk): Promise<Answer> | Answer }
    | { readonly access: 'member'; readonly right: Right; run(ask: MemberAsk): Promise<Answer> | Answer }
  )

export type NavRoute = Extract<Route, { access: 'member' }> & { readonly nav: NavPlace }
