import { sql, type Sql } from '../../src/platform/database/sql.ts'

/** A notification to this URL that waits after two failed tries. */
export function failingDelivery(merchantId: number, target: string): Sql[] {
  const { origin } = new URL(target)
  return [
    sql`insert into deliveries (merchant_id, id, kind, mode, event, target, origin, body, state, tries, next_try_at)
      values (${merchantId}, 'evt_failing', 'ipn', 'test', 'payment.success', ${target}, ${origin}, '{}', 'waiting', 2,
              now() + interval '1 hour')`,
    sql`insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status)
      values (${merchantId}, 'evt_failing', 1, now(), 5, 500), (${merchantId}, 'evt_failing', 2, now(), 5, 500)`,
  ]
}
