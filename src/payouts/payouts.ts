import type { Paying } from '../payments/attempts/paying.ts'

/** What this room needs of the process: the database, the networks and their accounts, and where notifications go. */
export type Payouts = Pick<Paying, 'db' | 'connectors' | 'accounts' | 'outbox' | 'log' | 'now'>
