import type { Transaction } from '../../../platform/database/database.ts'

/** In a commit that changes what payments say, such as who paid or how much, for modules with a copy of it. */
export type Reworded = (tx: Transaction, merchantId: number, numbers: readonly string[]) => Promise<void>
