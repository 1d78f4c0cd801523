import type { Queryable, Transaction } from '../../platform/database/database.ts'
import type { Redact } from '../../platform/input/erased.ts'

/** A customer of one merchant, as far as one round has looked. */
export type Customer = {
  readonly merchantId: number
  readonly email: string
  /** False: only these payments are old enough; the person may still be a customer. */
  readonly isWholePerson: boolean
  /** The numbers of their payments in this round. */
  readonly numbers: readonly string[]
  readonly txRefs: readonly string[]
  /** For rows that are theirs. */
  readonly redact: Redact
  /** For rows that may be about anybody: the address and whole names alone. */
  readonly redactStrictly: Redact
}

/** What a module knows about customers. */
export type PersonalRows = {
  /** As the export calls them. */
  readonly what: string
  read(db: Queryable, customer: Customer): Promise<readonly object[]>
  /** Replaces names, addresses and what else says who it was; returns how many rows were changed. */
  erase(tx: Transaction, customer: Customer): Promise<number>
}

export type CustomerPayment = {
  readonly number: string
  readonly tx_ref: string
  readonly first_name: string
  readonly last_name: string
}

/** A customer: the payments of an address, some at a time, those not erased before. */
export type FindCustomer = (
  db: Queryable,
  of: { readonly merchantId: number; readonly email: string; readonly after: string; readonly max: number },
) => Promise<readonly CustomerPayment[]>
