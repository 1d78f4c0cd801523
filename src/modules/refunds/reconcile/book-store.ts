import type { Database, Queryable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import { refundColumns, type RefundRow } from '../store.ts'

const atOnce = 1_000

/** Live ones that moved since then, after the given one, in no order that means anything. */
export async function listMoved(
  db: Database,
  merchantId: number,
  page: { readonly since: Date; readonly after: string },
): Promise<RefundRow[]> {
  const statement = sql`
    select ${refundColumns} from refunds
    where merchant_id = ${merchantId} and mode = 'live' and updated_at >= ${page.since} and id > ${page.after}
    order by id limit ${atOnce}`
  return db.query<RefundRow>(planEachTime(statement))
}

/** The merchant's refunds among these, by the network's ids. */
export async function listByReferences(
  db: Queryable,
  merchantId: number,
  references: readonly string[],
): Promise<{ readonly id: string; readonly number: string; readonly refund_reference: string }[]> {
  return db.query(sql`
    select id, number, refund_reference from refunds
    where merchant_id = ${merchantId} and refund_reference = any(${references}::text[])`)
}

export async function listRefs(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly refund_ref: string }[]> {
  return db.query(sql`
    select id, refund_ref from refunds where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}
