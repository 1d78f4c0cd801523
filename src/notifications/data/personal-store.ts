import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

// Deliveries about a customer's payments, in the tables deliveries and delivery_attempts.

export type PersonalDelivery = {
  readonly id: string
  readonly kind: 'ipn' | 'mail'
  readonly state: string
  readonly target: string
  readonly body: string
}

export async function lockDeliveriesOf(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<PersonalDelivery[]> {
  return tx.query<PersonalDelivery>(sql`
    select id, kind, state, target, body from deliveries
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by id for update`)
}

/** `is_ended`: it was a mail to the customer that waited, and is not sent any more. */
export async function redactDeliveries(
  tx: Transaction,
  merchantId: number,
  told: readonly (Pick<PersonalDelivery, 'id' | 'target' | 'body'> & { readonly is_ended: boolean })[],
): Promise<void> {
  await tx.query(sql`
    update deliveries
    set target = new.target, body = new.body,
        state = case when new.is_ended then 'skipped' else state end,
        next_try_at = case when new.is_ended then null else next_try_at end,
        finished_at = case when new.is_ended then new.at else finished_at end
    from (
      -- The time is here and not in the CASE above, where a cluster takes none.
      select *, now() as at
      from json_to_recordset(${JSON.stringify(told)}) as told (id text, target text, body text, is_ended boolean)
    ) as new
    where deliveries.merchant_id = ${merchantId} and deliveries.id = new.id`)
}

/** Receivers' answers may repeat the payload; mail servers' answers name the address. */
export async function forgetAnswers(
  tx: Transaction,
  merchantId: number,
  ids: readonly string[],
): Promise<void> {
  // No test of "(answer is not null or error like '%@%')": saves writing what is already there
  await tx.query(sql`
    update delivery_attempts
    set answer = null, error = case when error like '%@%' then 'erased' else error end
    where merchant_id = ${merchantId} and delivery_id = any(${ids}::text[])
      and (answer is not null or error like '%@%')`)
}

export async function readDeliveries(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const rows = await db.query<{ row: object }>(sql`
    select to_json(deliveries) as row from deliveries
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by created_at, id`)
  return rows.map(({ row }) => row)
}
