import type { Database } from '../../platform/database/database.ts'
import { findUnsafeSettings, UnsafeDatabase } from '../../platform/database/durability.ts'
import { hasLiveMerchant } from './all-merchants-look-store.ts'

// A payment that was acknowledged and then lost is money without a record, so live mode and a database that may
// forget a commit do not go together.

/** At a start: refuses when some merchant takes live payments and the database could lose them. */
export async function refuseUnsafeStart(db: Database, allowed: boolean): Promise<void> {
  if (!allowed && (await hasLiveMerchant(db))) await refuseUnsafeLive(db, allowed)
}

/** Before a merchant is switched on for live payments. */
export async function refuseUnsafeLive(db: Database, allowed: boolean): Promise<void> {
  const unsafe = allowed ? [] : await findUnsafeSettings(db)
  if (unsafe.length === 0) return
  throw new UnsafeDatabase(
    `This PostgreSQL may lose acknowledged payments: ${unsafe.join(' and ')} ${unsafe.length === 1 ? 'is' : 'are'} off. ` +
      `Switch ${unsafe.length === 1 ? 'it' : 'them'} on before taking live payments.`,
  )
}
