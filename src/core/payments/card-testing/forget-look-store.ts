import type { Database } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../../platform/database/sql.ts'

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
  return [...new Set([...(await lookForMerchants(db, levels)), ...(await lookForMerchants(db, attempts))])]
}

/** In either mode. */
export async function findMerchantsUnderAttack(db: Database, at: Date): Promise<number[]> {
  return lookForMerchants(db, sql`select distinct merchant_id from card_attacks where until > ${at}`)
}
