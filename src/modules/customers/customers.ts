import type { Database } from '../../platform/database/database.ts'
import { erasedEmail } from '../../platform/input/erased.ts'
import { readPage, type PageEnd } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { findPayments, type PaymentRow } from '../../core/payments/support/search-payments.ts'
import type { ListScope } from '../../core/payments/list-payments.ts'
import {
  listCustomers,
  listEventful,
  sumCustomers,
  type CustomerRow,
  type CustomerSum,
} from './customer-store.ts'

// Florin has no customer accounts: a customer is an e-mail address that payments name, without regard to case.

export type { CustomerSum } from './customer-store.ts'

export type CustomerSummary = CustomerRow & {
  /** One per currency, the most used first. */
  readonly sums: readonly CustomerSum[]
}

export type CustomerPage = PageEnd & { readonly customers: readonly CustomerSummary[] }

const names = /^\d{24}$/

/** Whose latest payment is newest first. Takes `cursor`. */
export async function readCustomers(db: Database, scope: ListScope, query: unknown): Promise<CustomerPage> {
  const { rows, ...end } = await readPage(
    new Query(query),
    { names, positionOf: ({ created_at: at, number: name }: CustomerRow) => ({ at, name }) },
    async ({ after, limit }) =>
      listCustomers(db, {
        ...scope,
        erased: erasedEmail,
        after: after && { createdAt: after.at, number: after.name },
        limit,
      }),
  )
  const sums = await sumsOf(
    db,
    scope,
    rows.map(({ email }) => email),
  )
  return { customers: rows.map((row) => ({ ...row, sums: sums.get(row.email.toLowerCase()) ?? [] })), ...end }
}

async function sumsOf(
  db: Database,
  scope: ListScope,
  emails: readonly string[],
): Promise<ReadonlyMap<string, CustomerSum[]>> {
  if (emails.length === 0) return new Map()
  const sums = await sumCustomers(db, { ...scope, emails: emails.map((email) => email.toLowerCase()) })
  return Map.groupBy(sums, ({ email }) => email)
}

export type CustomerDetails = {
  /** As on the latest payment. */
  readonly email: string
  /** Names on their latest payments, each once. */
  readonly names: readonly string[]
  readonly sums: readonly CustomerSum[]
  /** The latest ones. */
  readonly payments: readonly PaymentRow[]
  readonly hasMore: boolean
  /** Numbers of the latest payments with refunds, and of those with disputes. */
  readonly refunded: readonly string[]
  readonly disputed: readonly string[]
  /** Numbers of the latest payments that saved their method. */
  readonly saved: readonly string[]
}

const eventfulMax = 100

/** Undefined: no payment names this address, or the customer was erased. */
export async function readCustomer(
  db: Database,
  scope: ListScope,
  typed: string,
): Promise<CustomerDetails | undefined> {
  const email = typed.trim()
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.toLowerCase() === erasedEmail) return undefined
  const page = await findPayments(db, scope, { email })
  const [latest] = page.payments
  if (!latest) return undefined
  const [sums, eventful] = await Promise.all([
    sumsOf(db, scope, [latest.email]),
    listEventful(db, { ...scope, email, limit: eventfulMax }),
  ])
  return {
    email: latest.email,
    names: [...new Set(page.payments.map((one) => `${one.first_name} ${one.last_name}`.trim()))],
    sums: sums.get(latest.email.toLowerCase()) ?? [],
    payments: page.payments,
    hasMore: page.nextCursor !== null,
    refunded: eventful.filter(({ refunds }) => refunds > 0).map(({ number }) => number),
    disputed: eventful.filter(({ is_disputed }) => is_disputed).map(({ number }) => number),
    saved: eventful.filter(({ has_saved }) => has_saved).map(({ number }) => number),
  }
}
