import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'

// The table link_payments.

export type LinkPaymentState = 'open' | 'paid' | 'over'

export type LinkPaymentRow = {
  readonly link_id: string
  readonly tx_ref: string
  readonly state: LinkPaymentState
  readonly created_at: string
}

/** False when this tx_ref is there already. */
export async function insertLinkPayment(
  tx: Transaction,
  merchantId: number,
  payment: { readonly linkId: string; readonly txRef: string },
  at: { readonly now: Date; readonly lookAt: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into link_payments (merchant_id, link_id, tx_ref, created_at, look_at)
    values (${merchantId}, ${payment.linkId}, ${payment.txRef}, ${at.now}, ${at.lookAt})
    on conflict (merchant_id, link_id, tx_ref) do nothing
    returning tx_ref`)
  return rows.length > 0
}

export async function findLinkPayment(
  db: Queryable,
  merchantId: number,
  { linkId, txRef }: { readonly linkId: string; readonly txRef: string },
): Promise<LinkPaymentRow | undefined> {
  const rows = await db.query<LinkPaymentRow>(sql`
    select link_id, tx_ref, state, created_at from link_payments
    where merchant_id = ${merchantId} and link_id = ${linkId} and tx_ref = ${txRef}`)
  return rows[0]
}

export type OpenFilter = { readonly linkId?: string; readonly dueBy?: Date; readonly max: number }

/** Open ones, those that were not looked at for longest first. Nobody else ends them until this transaction is over. */
export async function lockOpen(
  tx: Transaction,
  merchantId: number,
  { linkId, dueBy, max }: OpenFilter,
): Promise<LinkPaymentRow[]> {
  const rules: Sql[] = [sql`merchant_id = ${merchantId} and state = 'open'`]
  if (linkId !== undefined) rules.push(sql`link_id = ${linkId}`)
  if (dueBy !== undefined) rules.push(sql`look_at <= ${dueBy}::timestamptz`)
  return tx.query<LinkPaymentRow>(
    planEachTime(sql`
      select link_id, tx_ref, state, created_at from link_payments where ${join(rules, ' and ')}
      order by look_at limit ${max} for update skip locked`),
  )
}

export type Looked = {
  readonly link_id: string
  readonly tx_ref: string
  readonly state: LinkPaymentState
  readonly look_at: Date
}

export async function recordLooks(
  tx: Transaction,
  merchantId: number,
  looks: readonly Looked[],
): Promise<void> {
  await tx.query(sql`
    update link_payments set state = looked.state, look_at = looked.look_at
    from json_to_recordset(${JSON.stringify(looks)}) as looked (
      link_id text, tx_ref text, state text, look_at timestamptz)
    where link_payments.merchant_id = ${merchantId} and link_payments.link_id = looked.link_id
      and link_payments.tx_ref = looked.tx_ref`)
}

/** Open ones that were begun before a time, the oldest first. */
export async function listOpenBefore(
  db: Queryable,
  merchantId: number,
  { linkId, before, max }: { readonly linkId: string; readonly before: Date; readonly max: number },
): Promise<LinkPaymentRow[]> {
  return db.query<LinkPaymentRow>(
    planEachTime(sql`
      select link_id, tx_ref, state, created_at from link_payments
      where merchant_id = ${merchantId} and link_id = ${linkId} and state = 'open' and created_at < ${before}
      order by created_at limit ${max}`),
  )
}

/** The links that payments began at, by tx_ref. */
export async function findLinksOf(
  db: Queryable,
  merchantId: number,
  txRefs: readonly string[],
): Promise<(Pick<LinkPaymentRow, 'link_id' | 'tx_ref'> & { readonly title: string })[]> {
  return db.query(
    planEachTime(sql`
      select link_payments.link_id, link_payments.tx_ref, links.title from link_payments
      join links on links.merchant_id = ${merchantId} and links.id = link_payments.link_id
      where link_payments.merchant_id = ${merchantId} and link_payments.tx_ref = any(${txRefs}::text[])`),
  )
}

/** Newest first, by the index link_payments_newest. */
export async function listLinkPayments(
  db: Queryable,
  merchantId: number,
  filter: {
    readonly linkId: string
    readonly after: { readonly createdAt: string; readonly txRef: string } | undefined
    readonly limit: number
  },
): Promise<LinkPaymentRow[]> {
  const { after } = filter
  const rules: Sql[] = [sql`merchant_id = ${merchantId} and link_id = ${filter.linkId}`]
  if (after !== undefined) rules.push(sql`(created_at, tx_ref) < (${after.createdAt}, ${after.txRef})`)
  return db.query<LinkPaymentRow>(
    planEachTime(sql`
      select link_id, tx_ref, state, created_at from link_payments where ${join(rules, ' and ')}
      order by created_at desc, tx_ref desc limit ${filter.limit}`),
  )
}
