import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { deleteOf, sql } from '../../../platform/database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'
import type { OrderKey } from '../../networks/connector.ts'
import type { HostedOrder, HostedPage, RefundOrder } from '../../networks/hosted.ts'

// The only place that names the test bank's books. Every call is its own commit, as a network's would be.

export type PageRow = {
  readonly merchant_id: number
  readonly idempotency_key: string
  readonly payment_number: string
  readonly reference: string
  readonly state: 'open' | 'paid' | 'refused' | 'withdrawn'
  readonly amount_minor: bigint | null
  readonly currency: string | null
  readonly merchant_name: string | null
  readonly description: string | null
  readonly language: string | null
  readonly return_url: string | null
  readonly cancel_url: string | null
  readonly expires_at: string
  readonly told_from: string
}

/** Does nothing if the key is known: the first page stays. */
export async function insertPage(
  db: Database,
  order: HostedOrder,
  page: HostedPage,
  as: { reference: string; at: Date },
): Promise<void> {
  await db.query(sql`
    insert into test_network.pages (merchant_id, idempotency_key, payment_number, reference, state, amount_minor, currency,
      merchant_name, description, language, return_url, cancel_url, opened_at, expires_at, told_from)
    values (${order.merchantId}, ${order.idempotencyKey}, ${order.paymentNumber}, ${as.reference}, 'open',
      ${order.amountMinor}, ${order.currency}, ${page.merchantName}, ${page.description}, ${page.language},
      ${page.returnUrl}, ${page.cancelUrl}, ${as.at}, ${page.expiresAt}, ${as.at})
    on conflict (merchant_id, idempotency_key) do nothing`)
}

/** One statement, so that a page that is opened at the same moment is either seen or shut out. */
export async function closePage(
  db: Database,
  order: OrderKey,
  as: { reference: string; at: Date },
): Promise<void> {
  await db.query(sql`
    insert into test_network.pages as known (merchant_id, idempotency_key, payment_number, reference, state, opened_at,
      expires_at, told_from)
    values (${order.merchantId}, ${order.idempotencyKey}, ${order.paymentNumber}, ${as.reference}, 'withdrawn', ${as.at},
      ${as.at}, ${as.at})
    on conflict (merchant_id, idempotency_key) do update set state = 'withdrawn' where known.state = 'open'`)
}

/** The customer's decision. False: the page can no longer be paid. */
export async function decidePage(
  db: Database,
  page: { merchantId: number; reference: string },
  decision: { state: 'paid' | 'refused'; at: Date; toldFrom: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    update test_network.pages set state = ${decision.state}, told_from = ${decision.toldFrom}
    where merchant_id = ${page.merchantId} and reference = ${page.reference} and state = 'open'
      and expires_at > ${decision.at}
    returning reference`)
  return rows.length > 0
}

export async function findPageOfOrder(db: Database, order: OrderKey): Promise<PageRow | undefined> {
  const rows = await db.query<PageRow>(sql`
    select merchant_id, idempotency_key, payment_number, reference, state, amount_minor, currency, merchant_name,
           description, language, return_url, cancel_url, expires_at, told_from
    from test_network.pages
    where merchant_id = ${order.merchantId} and idempotency_key = ${order.idempotencyKey}`)
  return rows[0]
}

export async function findPage(
  db: Database,
  page: { merchantId: number; reference: string },
): Promise<PageRow | undefined> {
  const rows = await db.query<PageRow>(sql`
    select merchant_id, idempotency_key, payment_number, reference, state, amount_minor, currency, merchant_name,
           description, language, return_url, cancel_url, expires_at, told_from
    from test_network.pages
    where merchant_id = ${page.merchantId} and reference = ${page.reference}`)
  return rows[0]
}

export async function listPages(
  db: Database,
  payment: { merchantId: number; number: string },
): Promise<PageRow[]> {
  return db.query<PageRow>(sql`
    select merchant_id, idempotency_key, payment_number, reference, state, amount_minor, currency, merchant_name,
           description, language, return_url, cancel_url, expires_at, told_from
    from test_network.pages
    where merchant_id = ${payment.merchantId} and payment_number = ${payment.number}
    order by opened_at, idempotency_key`)
}

/** Does nothing where the key is known, or where more than was paid would go back. */
export async function insertRefund(
  db: Database,
  refund: RefundOrder,
  as: { reference: string; at: Date },
): Promise<void> {
  const { merchantId, chargeReference, amountMinor } = refund
  await db.queryAll([
    sql`
    select reference from test_network.pages
    where merchant_id = ${merchantId} and reference = ${chargeReference} for update`,
    sql`
    insert into test_network.refunds (merchant_id, idempotency_key, reference, page_reference, amount_minor, requested_at)
    select page.merchant_id, ${refund.idempotencyKey}, ${as.reference}, page.reference, ${amountMinor}::bigint,
      ${as.at}::timestamptz
    from test_network.pages as page
    where page.merchant_id = ${merchantId} and page.reference = ${chargeReference} and page.state = 'paid'
      and page.currency = ${refund.currency}
      and page.amount_minor >= ${amountMinor}::bigint + coalesce((
        select sum(before.amount_minor) from test_network.refunds as before
        where before.merchant_id = ${merchantId} and before.page_reference = ${chargeReference}), 0)
    on conflict (merchant_id, idempotency_key) do nothing`,
  ])
}

export type RefundRow = { readonly reference: string; readonly amount_minor: bigint }

export async function findRefund(
  db: Database,
  refund: { merchantId: number; idempotencyKey: string },
): Promise<RefundRow | undefined> {
  const rows = await db.query<RefundRow>(sql`
    select reference, amount_minor from test_network.refunds
    where merchant_id = ${refund.merchantId} and idempotency_key = ${refund.idempotencyKey}`)
  return rows[0]
}

export async function listRefunds(
  db: Database,
  page: { merchantId: number; reference: string },
): Promise<RefundRow[]> {
  return db.query<RefundRow>(sql`
    select reference, amount_minor from test_network.refunds
    where merchant_id = ${page.merchantId} and page_reference = ${page.reference}
    order by requested_at, idempotency_key`)
}

export async function readPagesOf(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(pages) as row from test_network.pages
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[]) order by opened_at`)
  return rows.map(({ row }) => row)
}

/** The merchant's text on the page and its return URL, which may name the customer. */
export async function forgetTextsOf(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<number> {
  const rows = await tx.query(sql`
    update test_network.pages set description = null, return_url = null, cancel_url = null
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[]) and state <> 'open'
    returning reference`)
  return rows.length
}

export async function deletePagesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const pages = await tx.query<{ reference: string }>(sql`
    select reference from test_network.pages
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[])`)
  const names = pages.map(({ reference }) => reference)
  await tx.queryAll([
    deleteOf(sql`test_network.refunds`, sql`page_reference`, { merchantId, names }),
    deleteOf(sql`test_network.pages`, sql`payment_number`, { merchantId, names: numbers }),
  ])
}
