import type { Html } from '../platform/http/html.ts'
import type { ExportPages } from '../core/payments/export-payments.ts'
import type { Mode } from '../core/merchants/mode.ts'
import type { Database } from '../platform/database/database.ts'
import type { AttemptRow, HistoryRow } from '../core/payments/support/payment-story.ts'
import type { PaymentRow } from '../core/payments/support/search-payments.ts'
import type { MemberAsk } from './ask.ts'
import type { Dated, Fact } from './parts/things.ts'

// What modules add to pages that aren't theirs.

export type DashboardPart = {
  /** A page shows the parts with smaller numbers first. */
  readonly order: number
  readonly payment?: (ask: MemberAsk, shown: ShownPayment) => Promise<PaymentPart>
  readonly customer?: (ask: MemberAsk, customer: ShownCustomer) => Promise<Html | undefined>
  readonly customerPath?: (ask: MemberAsk, email: string) => string
  /** The file in which people get payments. */
  readonly paymentsFile?: ExportPages
  /** Problems on Home that need attention. */
  readonly matters?: (ask: MemberAsk) => Promise<readonly Matter[]>
  readonly home?: (ask: MemberAsk, parts: readonly DashboardPart[]) => Promise<HomePart>
  /** The payment links with the largest sums in a period. */
  readonly topLinks?: (db: Database, period: PaidPeriod) => Promise<readonly TopRow[]>
  readonly refund?: RefundPart
  readonly project?: (ask: MemberAsk, projectId: string) => Promise<Html>
}

export type ShownPayment = {
  readonly payment: PaymentRow
  readonly attempts: readonly AttemptRow[]
  readonly history: readonly HistoryRow[]
}

export type PaymentPart = {
  readonly action?: Html | undefined
  /** Above everything else. */
  readonly notice?: Html | undefined
  /** Beside the method it was paid with. */
  readonly methodFacts?: readonly Fact[]
  /** Beside what was charged and refunded. */
  readonly moneyFacts?: readonly Fact[]
  readonly happenings?: readonly Dated[]
}

/** Numbers of the customer's payments that were refunded, disputed, or saved a method. */
export type ShownCustomer = {
  readonly refunded: readonly string[]
  readonly disputed: readonly string[]
  readonly saved: readonly string[]
}

/** A problem, with a link to the page that fixes it. */
export type Matter = {
  readonly tone: 'bad' | 'warn'
  readonly title: string
  readonly detail: string
  readonly to: string
  readonly action: string
}

export type PaidPeriod = {
  readonly merchantId: number
  readonly mode: Mode
  readonly currency: string
  readonly endedFrom: string
  readonly endedTo: string
}

export type TopRow = {
  readonly id: string
  readonly name: string
  readonly payments: number
  readonly paidMinor: bigint
}

/** On the page of a refund, and in the form for one. */
export type RefundPart = {
  readonly facts: (ask: MemberAsk, refund: ShownRefund) => Promise<readonly Fact[]>
  /** What the shop keeps of a payment of which so much is left to refund. */
  readonly kept: (ask: MemberAsk, payment: PaymentRow, leftMinor: bigint) => Promise<Html>
}

export type ShownRefund = {
  readonly id: string
  /** Of the payment. */
  readonly number: string
  readonly state: string
  readonly currency: string
  readonly amount_minor: bigint
}

export type HomePart = { readonly lead?: string; readonly body: Html | undefined }

/** The page of a customer. */
export function customerPathIn(
  parts: readonly DashboardPart[],
  ask: MemberAsk,
  email: string,
): string | undefined {
  return parts.find((part) => part.customerPath)?.customerPath?.(ask, email)
}

/** What all parts say, in their order. */
export async function readParts<T>(
  parts: readonly DashboardPart[],
  read: (part: DashboardPart) => Promise<T | undefined> | undefined,
): Promise<T[]> {
  const found = await Promise.all(parts.map(async (part) => read(part)))
  return found.filter((one) => one !== undefined)
}
