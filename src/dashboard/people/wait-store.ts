import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

// The table sign_in_waits: tries by account and by address, counted once for all servers.

export type WaitRule = { readonly name: string; readonly free: number; readonly maxSeconds: number }

/**
 * Counts a try before it is made, so that simultaneous tries get no further than consecutive ones. Null if it may be
 * made, else the seconds to wait. Free tries never wait, whichever server's clock is behind. Tries older than a day are
 * forgotten.
 */
export async function countAttempt(db: Queryable, rule: WaitRule, now: Date): Promise<number | null> {
  const at = now.toISOString()
  const taken = await db.query(sql`
    insert into sign_in_waits as known (name, tries, last_at, free_at)
    values (${rule.name}, 1, ${at}, ${at})
    on conflict (name) do update
    set tries = case when known.last_at < ${at}::timestamptz - interval '1 day' then 1 else known.tries + 1 end,
        last_at = ${at},
        free_at = ${at}::timestamptz + make_interval(secs => case
          when known.last_at < ${at}::timestamptz - interval '1 day' then 0
          else least(${rule.maxSeconds}::float8,
                     power(2, least(20, greatest(0, known.tries + 1 - ${rule.free}))) - 1) end)
    where known.tries <= ${rule.free} or known.free_at <= ${at}::timestamptz
    returning name`)
  if (taken.length === 1) return null
  const rows = await db.query<{ seconds: number }>(sql`
    select ceil(extract(epoch from free_at - ${at}::timestamptz))::integer as seconds
    from sign_in_waits where name = ${rule.name}`)
  return Math.max(1, rows[0]?.seconds ?? 1)
}

/** The try was a good one. */
export async function forgetTries(db: Queryable, name: string): Promise<void> {
  await db.query(sql`delete from sign_in_waits where name = ${name}`)
}

/**
 * One less: a correct try from a shared address says nothing about the others. A wait they have earned stays, or an
 * attacker with an account could end it after each guess.
 */
export async function returnTry(db: Queryable, rule: WaitRule): Promise<void> {
  await db.query(sql`
    update sign_in_waits
    set tries = greatest(0, tries - 1),
        free_at = case when tries - 1 <= ${rule.free} then last_at else free_at end
    where name = ${rule.name}`)
}

export async function deleteOldTries(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from sign_in_waits where last_at < ${before.toISOString()} returning name`)
  return rows.length
}
