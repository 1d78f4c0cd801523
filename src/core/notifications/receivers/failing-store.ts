import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'

export type FailingTarget = {
  readonly mode: Mode
  readonly kind: 'ipn' | 'mail'
  /** A receiver's full URL; empty for mail, all of which goes through one server. */
  readonly target: string
  readonly origin: string
  /** How many wait for another try, or were given up. */
  readonly count: number
  /** When the oldest of them was first due. */
  readonly since: string
  /** Of the last attempt. */
  readonly status: number | null
  readonly error: string | null
}

const newestOf = 1_000
const waitingOf = 5_000

/**
 * Receivers whose last attempt failed, after at least two failures: one that the next attempt fixes is no news. By URL,
 * as one URL of a shop may work while another fails. Among each mode's newest deliveries and the waiting ones.
 */
export async function listFailingTargets(db: Database, merchantId: number): Promise<FailingTarget[]> {
  return db.query<FailingTarget>(sql`
    with looked_at as (
      (select id from deliveries where merchant_id = ${merchantId} and state = 'waiting' limit ${waitingOf})
      union
      (select id from deliveries where merchant_id = ${merchantId} and mode = 'live' and kind = 'ipn'
       order by created_at desc, id desc limit ${newestOf})
      union
      (select id from deliveries where merchant_id = ${merchantId} and mode = 'test' and kind = 'ipn'
       order by created_at desc, id desc limit ${newestOf})
      union
      (select id from deliveries where merchant_id = ${merchantId} and mode = 'live' and kind = 'mail'
       order by created_at desc, id desc limit ${newestOf})
    ), tried as (
      select mode, kind, case kind when 'ipn' then target else '' end as target, origin, created_at,
             last.at, last.attempt, last.status, last.error, state <> 'delivered' as failed
      from deliveries join looked_at using (id)
      join lateral (
        select at, attempt, status, error from delivery_attempts
        where merchant_id = ${merchantId} and delivery_id = deliveries.id
        order by attempt desc limit 1
      ) as last on true
      where merchant_id = ${merchantId} and state in ('waiting', 'failed', 'delivered')
    )
    select mode, kind, target, origin, (count(*) filter (where failed))::integer as count,
           min(created_at) filter (where failed) as since,
           (array_agg(status order by at desc))[1] as status, (array_agg(error order by at desc))[1] as error
    from tried group by mode, kind, target, origin
    having (array_agg(failed order by at desc))[1] and sum(attempt) filter (where failed) >= 2
    order by mode, kind, since, target`)
}
