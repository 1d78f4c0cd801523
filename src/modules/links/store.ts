import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'

// The table links.

export type LinkRow = {
  readonly merchant_id: number
  readonly id: string
  readonly mode: Mode
  readonly kind: 'single' | 'reusable'
  readonly asks_customer: boolean
  readonly title: string
  readonly description: string | null
  readonly currency: string
  readonly amount_minor: bigint | null
  readonly least_minor: bigint | null
  readonly most_minor: bigint | null
  readonly stock: number | null
  readonly taken: number
  readonly paid: number
  readonly paid_minor: bigint
  readonly ends_at: string | null
  readonly paused_at: string | null
  readonly created_at: string
}

export const linkStates = ['open', 'paused', 'ended', 'all_taken', 'sold_out'] as const
export type LinkState = (typeof linkStates)[number]

const columns: Sql = sql`
  links.merchant_id, links.id, links.mode, links.kind, links.asks_customer, links.title, links.description, links.currency,
  links.amount_minor, links.least_minor, links.most_minor, links.stock, links.taken, links.paid, links.paid_minor,
  links.ends_at, links.paused_at, links.created_at`

export type NewLink = Pick<
  LinkRow,
  | 'id'
  | 'mode'
  | 'kind'
  | 'asks_customer'
  | 'title'
  | 'description'
  | 'currency'
  | 'amount_minor'
  | 'least_minor'
  | 'most_minor'
  | 'stock'
> & { readonly ends_at: Date | null }

export async function insertLink(
  tx: Transaction,
  merchantId: number,
  link: NewLink,
  now: Date,
): Promise<LinkRow> {
  const rows = await tx.query<LinkRow>(sql`
    insert into links (merchant_id, id, mode, kind, asks_customer, title, description, currency, amount_minor,
      least_minor, most_minor, stock, ends_at, created_at)
    values (${merchantId}, ${link.id}, ${link.mode}, ${link.kind}, ${link.asks_customer}, ${link.title},
      ${link.description}, ${link.currency}, ${link.amount_minor}, ${link.least_minor}, ${link.most_minor},
      ${link.stock}, ${link.ends_at}, ${now})
    returning ${columns}`)
  return rows[0] as LinkRow
}

export async function findLink(
  db: Queryable,
  merchantId: number,
  id: string,
  { forUpdate = false } = {},
): Promise<LinkRow | undefined> {
  const found = sql`select ${columns} from links where merchant_id = ${merchantId} and id = ${id}`
  const rows = await db.query<LinkRow>(forUpdate ? sql`${found} for update` : found)
  return rows[0]
}

export type ListFilter = {
  readonly merchantId: number
  readonly mode: Mode
  /** Empty: whatever it is called, and of either kind. */
  readonly search: string
  readonly kind: LinkRow['kind'] | ''
  readonly state: { readonly is: LinkState; readonly at: Date } | undefined
  /** The last row of the page before. */
  readonly after: { readonly createdAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** As linkState says it. What is compared with null is not so, and the next case is looked at. */
function hasState({ is, at }: { readonly is: LinkState; readonly at: Date }): Sql {
  return sql`case when paid >= stock then 'sold_out' when paused_at is not null then 'paused'
    when ends_at <= ${at}::timestamptz then 'ended' when taken >= stock then 'all_taken' else 'open' end = ${is}`
}

/** Newest first, by the index links_newest. Links are made by hand, so what a filter leaves out is read along. */
export async function listLinks(db: Queryable, filter: ListFilter): Promise<LinkRow[]> {
  const { after, search, kind, state } = filter
  const rules: Sql[] = [sql`merchant_id = ${filter.merchantId} and mode = ${filter.mode}`]
  if (search !== '') rules.push(sql`strpos(lower(title), lower(${search})) > 0`)
  if (kind !== '') rules.push(sql`kind = ${kind}`)
  if (state) rules.push(hasState(state))
  if (after !== undefined) rules.push(sql`(created_at, id) < (${after.createdAt}, ${after.id})`)
  const statement = sql`
    select ${columns} from links where ${join(rules, ' and ')}
    order by created_at desc, id desc limit ${filter.limit}`
  return db.query<LinkRow>(planEachTime(statement))
}

export type LinkChange = Pick<LinkRow, 'title' | 'description' | 'stock'> & { readonly ends_at: Date | null }

export async function updateLink(
  tx: Transaction,
  merchantId: number,
  id: string,
  change: LinkChange,
): Promise<void> {
  await tx.query(sql`
    update links set title = ${change.title}, description = ${change.description}, stock = ${change.stock},
      ends_at = ${change.ends_at}
    where merchant_id = ${merchantId} and id = ${id}`)
}

export async function setPaused(
  tx: Transaction,
  merchantId: number,
  id: string,
  pausedAt: Date | null,
): Promise<void> {
  await tx.query(sql`
    update links set paused_at = ${pausedAt} where merchant_id = ${merchantId} and id = ${id}`)
}

/** One more payment; false when the link takes none any more, or has none left. */
export async function takeOne(tx: Transaction, merchantId: number, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update links set taken = taken + 1
    where merchant_id = ${merchantId} and id = ${id} and (stock is null or taken < stock) and paused_at is null
      and (ends_at is null or ends_at > ${now}::timestamptz)
    returning id`)
  return rows.length > 0
}

/** The results of one link's payments. */
export type LinkResults = { readonly over: number; readonly paid: number; readonly paidMinor: bigint }

export async function addResults(
  tx: Transaction,
  merchantId: number,
  id: string,
  { over, paid, paidMinor }: LinkResults,
): Promise<void> {
  await tx.query(sql`
    update links set taken = taken - ${over}::integer, paid = paid + ${paid}::integer,
      paid_minor = paid_minor + ${paidMinor}::bigint
    where merchant_id = ${merchantId} and id = ${id}`)
}
