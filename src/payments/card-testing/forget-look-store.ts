import type { Database } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'

// Looks over all merchants, which find merchants to visit and nothing else.

/** Merchants with hashes that are due to be forgotten. */
export async function findMerchantsToForget(db: Database, before: Date, max: number): Promise<number[]> {
  const levels = sql`
    select distinct merchant_id from decline_levels where level_at < ${before} limit ${max}`
  const attempts = sql`
    select distinct merchant_id from attempts
    where state in ('started', 'action_required', 'submitted', 'unknown')
      and card_fingerprint is not null and started_at < ${before}
    limit ${max}`
  const ofLevels = await db.look<{ merchant_id: number }>(planEachTime(levels))
  const ofAttempts = await db.look<{ merchant_id: number }>(planEachTime(attempts))
  return [...new Set([...ofLevels, ...ofAttempts].map((row) => row.merchant_id))]
}

/** In either mode. */
export async function findMerchantsUnderAttack(db: Database, at: Date): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(
    planEachTime(sql`select distinct merchant_id from card_attacks where until > ${at}`),
  )
  return rows.map((row) => row.merchant_id)
}
