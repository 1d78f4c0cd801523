import type { Html } from '../platform/http/html.ts'
import type { ExportPages } from '../core/payments/export-payments.ts'
import type { AttemptRow, HistoryRow } from '../core/payments/support/payment-story.ts'
import type { PaymentRow } from '../core/payments/support/search-payments.ts'
import type { MemberAsk } from './ask.ts'
import type { Dated, Fact } from './parts/things.ts'

// What modules add to pages that aren't theirs. table.ts lists the modules; a page shows their parts in that order.

export type DashboardPart = {
  readonly payment?: (ask: MemberAsk, shown: ShownPayment) => Promise<PaymentPart>
  readonly customer?: (ask: MemberAsk, customer: ShownCustomer) => Promise<Html | undefined>
  readonly customerPath?: (ask: MemberAsk, email: string) => string
  /** The file in which people get payments. */
  readonly paymentsFile?: ExportPages
  /** Problems on Home that need attention. */
  readonly matters?: (ask: MemberAsk) => Promise<readonly Matter[]>
  readonly home?: (ask: MemberAsk) => Promise<HomePart>
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
