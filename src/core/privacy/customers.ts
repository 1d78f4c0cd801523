import { inTransaction, type Database } from '../../platform/database/database.ts'
import { makeRedact } from '../../platform/input/erased.ts'
import { recordAct, type Actor } from '../audit/audit.ts'
import type { Customer, CustomerPayment, FindCustomer, PersonalRows } from './personal-rows.ts'

// What people may ask for: everything known about them, and erasure. Amounts, states and history stay, as accounts must
// be kept; the person is erased everywhere, in one commit per hundred payments.

export type Rooms = { readonly find: FindCustomer; readonly rows: readonly PersonalRows[] }

const paymentsAtOnce = 100

export async function exportCustomer(
  db: Database,
  { find, rows }: Rooms,
  of: { readonly merchantId: number; readonly email: string },
): Promise<Record<string, object[]> | undefined> {
  const found: Record<string, object[]> = {}
  let after = ''
  for (;;) {
    const payments = await find(db, { ...of, after, max: paymentsAtOnce })
    if (payments.length === 0) return after === '' ? undefined : found
    const customer = customerOf({ ...of, isWholePerson: true }, payments)
    for (const room of rows) (found[room.what] ??= []).push(...(await room.read(db, customer)))
    after = payments.at(-1)?.number ?? ''
  }
}

/** How many rows of what were changed; undefined if nothing is known about the address. Audited without naming it. */
export async function eraseCustomer(
  db: Database,
  { find, rows }: Rooms,
  of: { readonly merchantId: number; readonly email: string },
  by: Actor,
): Promise<Record<string, number> | undefined> {
  const counts: Record<string, number> = {}
  for (;;) {
    const isMore = await inTransaction(db, async (tx) => {
      const payments = await find(tx, { ...of, after: '', max: paymentsAtOnce })
      if (payments.length === 0) return false
      const customer = customerOf({ ...of, isWholePerson: true }, payments)
      const done: Record<string, number> = {}
      for (const room of rows) done[room.what] = await room.erase(tx, customer)
      await recordAct(tx, of.merchantId, by, {
        action: 'customer.erased',
        subject: payments[0]?.number ?? '',
        after: done,
      })
      for (const [what, count] of Object.entries(done)) counts[what] = (counts[what] ?? 0) + count
      return true
    })
    if (!isMore) return Object.keys(counts).length === 0 ? undefined : counts
  }
}

function customerOf(
  of: Pick<Customer, 'merchantId' | 'email' | 'isWholePerson'>,
  payments: readonly CustomerPayment[],
): Customer {
  const whole = payments.map(({ first_name, last_name }) => `${first_name} ${last_name}`)
  const parts = payments.flatMap(({ first_name, last_name }) => [first_name, last_name])
  return {
    ...of,
    numbers: payments.map(({ number }) => number),
    txRefs: payments.map(({ tx_ref }) => tx_ref),
    redact: makeRedact(of.email, [...new Set([...whole, ...parts])]),
    redactStrictly: makeRedact(of.email, [...new Set(whole)]),
  }
}

/** The same for named payments of any customer, such as those old enough; they belong to one merchant. */
export async function erasePayments(
  db: Database,
  rows: readonly PersonalRows[],
  merchantId: number,
  payments: readonly (CustomerPayment & { readonly email: string })[],
): Promise<number> {
  for (const [email, ofOne] of Map.groupBy(payments, (payment) => payment.email))
    await inTransaction(db, async (tx) => {
      const customer = customerOf({ merchantId, email, isWholePerson: false }, ofOne)
      for (const room of rows) await room.erase(tx, customer)
    })
  return payments.length
}
