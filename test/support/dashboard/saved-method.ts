import type { MethodRow } from '../../../src/modules/saved-methods/find-methods.ts'
import { now } from './page-ask.ts'

/** A saved card that was never charged, as its page receives it. */
export function savedMethod(changes: Partial<MethodRow> = {}): MethodRow {
  return {
    merchant_id: 12_345_678,
    id: 'svm_1234567890123456',
    mode: 'test',
    customer_ref: 'member-7',
    agreement: 'recurring',
    limit_minor: null,
    limit_currency: 'GBP',
    number: '42',
    connector: 'test-network',
    account_id: null,
    kind: 'card',
    brand: 'Visa',
    last4: '4242',
    expires: '2029-08',
    saved_at: now.toISOString(),
    ended_at: null,
    ended_by: null,
    tries: [],
    retry_at: null,
    charged_at: null,
    forget_tries: 0,
    ...changes,
  }
}
