import { inTransaction, type Database, type Transaction } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'

// Old rows of deliveries and delivery_attempts. Nothing that waits is ever touched.

/** Their bodies and attempts are deleted; what was sent when, and its result, stays. */
export async function emptyOldIpns(
  db: Database,
  merchantId: number,
  before: Date,
  max: number,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query<{ id: string }>(
      planEachTime(sql`
        with old as materialized (
          select id from deliveries
          where merchant_id = ${merchantId} and kind = 'ipn' and state <> 'waiting' and state <> 'paused'
            and body <> '' and created_at < ${before}
          order by created_at limit ${max} for update skip locked
        )
        update deliveries set body = '' from old
        where deliveries.merchant_id = ${merchantId} and deliveries.id = old.id
        returning deliveries.id`),
    )
    await deleteTries(tx, merchantId, rows)
    return rows.length
  })
}

export async function deleteOldMail(
  db: Database,
  merchantId: number,
  before: Date,
  max: number,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const rows = await tx.query<{ id: string }>(
      planEachTime(sql`
        select id from deliveries
        where merchant_id = ${merchantId} and kind = 'mail' and state <> 'waiting' and state <> 'paused'
          and body <> '' and created_at < ${before}
        order by created_at limit ${max} for update skip locked`),
    )
    await deleteTries(tx, merchantId, rows)
    await tx.query(sql`
      delete from deliveries where merchant_id = ${merchantId} and id = any(${rows.map(({ id }) => id)}::text[])`)
    return rows.length
  })
}

async function deleteTries(
  tx: Transaction,
  merchantId: number,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  await tx.query(sql`
    delete from delivery_attempts
    where merchant_id = ${merchantId} and delivery_id = any(${rows.map(({ id }) => id)}::text[])`)
}
