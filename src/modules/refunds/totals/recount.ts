import type { Recount } from '../../../core/payments/slots/recount.ts'
import { sumRefunds } from './total-store.ts'

export const recountRefunds: Recount = { days: async (tx, merchantId) => sumRefunds(tx, merchantId) }
