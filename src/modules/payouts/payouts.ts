import type { Paying } from '../../core/payments/attempts/paying.ts'

/** What payouts/ needs from the process: the database, the networks and their accounts, and the outbox. */
export type Payouts = Pick<Paying, 'db' | 'connectors' | 'accounts' | 'outbox' | 'log' | 'now'>
