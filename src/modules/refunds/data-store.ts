import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { deleteOf, sql } from '../../platform/database/sql.ts'
import type { OldTests } from '../../core/privacy/test-rows.ts'

export type RefundTexts = {
  readonly id: string
  readonly reason: string | null
  readonly failure: string | null
}

export async function lockTexts(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<RefundTexts[]> {
  return tx.query<RefundTexts>(sql`
    select id, reason, failure from refunds
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
      and (reason is not null or failure is not null)
    order by id for update`)
}

export async function replaceTexts(
  tx: Transaction,
  merchantId: number,
  texts: readonly RefundTexts[],
): Promise<void> {
  await tx.query(sql`
    update refunds set reason = new.reason, failure = new.failure
    from json_to_recordset(${JSON.stringify(texts)}) as new (id text, reason text, failure text)
    where refunds.merchant_id = ${merchantId} and refunds.id = new.id`)
}

export async function readRefunds(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(refunds) as row from refunds
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by created_at, id`)
  return rows.map(({ row }) => row)
}

/** Payments with a refund that is still being checked. */
export async function findUnderWay(tx: Transaction, { merchantId, numbers }: OldTests): Promise<string[]> {
  const rows = await tx.query<{ number: string }>(sql`
    select distinct number from refunds
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and next_check_at is not null`)
  return rows.map(({ number }) => number)
}

export async function deleteRefundsOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const refunds = await tx.query<{ id: string }>(sql`
    select id from refunds where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
  await tx.queryAll([
    deleteOf(sql`refund_history`, sql`refund_id`, { merchantId, names: refunds.map(({ id }) => id) }),
    deleteOf(sql`refunds`, sql`number`, { merchantId, names: numbers }),
    deleteOf(sql`refund_totals`, sql`number`, { merchantId, names: numbers }),
  ])
}
