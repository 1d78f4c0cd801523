import type { Database } from '../database/database.ts'

/** Warnings of a module, in sentences. `isLive`: whether anybody takes real money. */
export type Warner = (db: Database, of: { readonly isLive: boolean }) => Promise<readonly string[]>
