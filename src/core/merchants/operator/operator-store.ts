import type { Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

// What operators change about a merchant, in the tables merchants and merchant_currencies.

/** False when it was so before. */
export async function setSuspended(
  tx: Transaction,
  merchantId: number,
  isSuspended: boolean,
): Promise<boolean> {
  // Not a CASE, in which a cluster takes no now().
  const suspendedAt = isSuspended ? sql`now()` : sql`null`
  const rows = await tx.query(sql`
    update merchants set suspended_at = ${suspendedAt}, updated_at = now()
    where id = ${merchantId} and (suspended_at is not null) <> ${isSuspended}
    returning id`)
  return rows.length === 1
}

export async function setBasisPoints(
  tx: Transaction,
  merchantId: number,
  basisPoints: number,
): Promise<void> {
  await tx.query(sql`
    update merchants set fee_basis_points = ${basisPoints}, updated_at = now() where id = ${merchantId}`)
}

export async function setFixedFee(
  tx: Transaction,
  merchantId: number,
  currency: string,
  minor: bigint,
): Promise<void> {
  await tx.query(sql`
    update merchant_currencies set fee_fixed_minor = ${minor}
    where merchant_id = ${merchantId} and currency = ${currency}`)
}

export async function markDemo(tx: Transaction, merchantId: number, since: Date): Promise<void> {
  await tx.query(sql`
    update merchants set is_demo = true, created_at = ${since} where id = ${merchantId} and not live_enabled`)
}

/** False when it is no demo. */
export async function deleteDemo(tx: Transaction, merchantId: number): Promise<boolean> {
  const rows = await tx.query(sql`delete from merchants where id = ${merchantId} and is_demo returning id`)
  return rows.length === 1
}
