import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { deleteOf, sql } from '../../platform/database/sql.ts'
import type { OldTests } from '../../core/privacy/test-rows.ts'

// What is kept about the customers of payments, for exports, erasures and the deletion of old test payments.

/** Without the token, which is no data about a person. */
export async function readPersonal(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<object[]> {
  const [methods = [], consents = []] = await db.queryAll<{ row: object }>([
    sql`
    select json_build_object('id', id, 'customer_ref', customer_ref, 'agreement', agreement, 'kind', kind, 'brand', brand,
      'last4', last4, 'expires', expires, 'network', connector, 'saved_at', saved_at, 'ended_at', ended_at) as row
    from saved_methods where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by saved_at, id`,
    sql`
    select to_json(saved_method_consents) as row from saved_method_consents
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by at`,
  ])
  return [...methods, ...consents].map(({ row }) => row)
}

/** Ends the methods, whose networks are told by a job, and forgets where the customer was. Returns how many rows changed. */
export async function erasePersonal(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<number> {
  // Before the time is taken: it must not lie before a charge that this has to wait for.
  await tx.query(sql`
    select id from saved_methods where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by id for update`)
  const changed = await tx.queryAll([
    sql`
    update saved_methods set ended_at = statement_timestamp(), ended_by = 'erasure', forget_at = now()
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and ended_at is null returning id`,
    sql`
    update saved_methods set customer_ref = 'erased', brand = null, last4 = null, expires = null
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and customer_ref <> 'erased' returning id`,
    sql`
    update saved_method_consents set address = null
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and address is not null returning number`,
  ])
  return changed.reduce((sum, rows) => sum + rows.length, 0)
}

/** A method that can be charged keeps the payment that saved it. */
export async function findUsable(tx: Transaction, { merchantId, numbers }: OldTests): Promise<string[]> {
  const rows = await tx.query<{ number: string }>(sql`
    select number from saved_methods
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
      and (ended_at is null or forget_at is not null)`)
  return rows.map(({ number }) => number)
}

export async function deleteMethodsOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  await tx.queryAll([
    deleteOf(sql`saved_method_charges`, sql`number`, { merchantId, names: numbers }),
    deleteOf(sql`saved_method_consents`, sql`number`, { merchantId, names: numbers }),
    deleteOf(sql`saved_methods`, sql`number`, { merchantId, names: numbers }),
  ])
}
