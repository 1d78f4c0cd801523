import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

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
