import { makeRedact } from '../../src/platform/input/erased.ts'
import type { Customer } from '../../src/core/privacy/personal-rows.ts'

/** Ada Lovelace as erasure knows her, with payments of a merchant. */
export function customerToErase(of: Pick<Customer, 'merchantId' | 'numbers'> & Partial<Customer>): Customer {
  const email = 'ada@example.com'
  const redact = makeRedact(email, ['Ada Lovelace', 'Ada', 'Lovelace'])
  return { email, isWholePerson: true, txRefs: [], redact, redactStrictly: redact, ...of }
}
