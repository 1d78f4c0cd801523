import type { Sql } from '../../../platform/database/sql.ts'

/** A query of what the network charged for the payment `found`, in the payment's currency: modules above know it. */
export type FeesOfFound = (merchantId: number) => Sql
