import type { Transaction } from '../../../platform/database/database.ts'
import { deleteOf, sql } from '../../../platform/database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'

/**
 * Payments with a notification that a worker may be sending: its result couldn't be recorded without the row. All are
 * locked, so none is resent by hand at the same time.
 */
export async function lockWaiting(tx: Transaction, { merchantId, numbers }: OldTests): Promise<string[]> {
  const rows = await tx.query<{ number: string; state: string }>(sql`
    select number, state from deliveries
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by id for update`)
  return rows.filter(({ state }) => state === 'waiting').map(({ number }) => number)
}

export async function deleteDeliveriesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const deliveries = await tx.query<{ id: string }>(sql`
    select id from deliveries where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
  await tx.queryAll([
    deleteOf(sql`delivery_attempts`, sql`delivery_id`, {
      merchantId,
      names: deliveries.map(({ id }) => id),
    }),
    deleteOf(sql`deliveries`, sql`number`, { merchantId, names: numbers }),
  ])
}
