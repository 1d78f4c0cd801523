import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { OurCharge } from './compare-charges.ts'
import { findMerchantsThrough } from './account-look-store.ts'
import { surplusKey } from '../attempts/hosted/return-surplus.ts'
import {
  listCharges,
  listNamed,
  listNumbers,
  listPaidCharges,
  type ChargeRow,
  type PaidChargeRow,
} from './charge-store.ts'

export type { PaidChargeRow }

/** Every attempt through an account, of whichever merchant, that was started since then, charged or not. */
export async function* readAllCharges(
  db: Database,
  accountId: string,
  since: Date,
): AsyncGenerator<OurCharge> {
  for (const merchantId of await findMerchantsThrough(db, accountId, since))
    yield* readCharges(db, merchantId, accountId, since)
}

async function* readCharges(
  db: Database,
  merchantId: number,
  accountId: string,
  since: Date,
): AsyncGenerator<OurCharge> {
  let after = { number: '', attempt: 0 }
  for (;;) {
    const rows = await listCharges(db, merchantId, accountId, { since, after })
    for (const row of rows) {
      yield {
        merchantId,
        txRef: row.tx_ref,
        idempotencyKey: row.idempotency_key,
        references: [row.charge_reference, row.connector_reference].filter((name) => name !== null),
        charged:
          row.charged_minor === null || row.charged_currency === null
            ? undefined
            : { amountMinor: row.charged_minor, currency: row.charged_currency },
        sentBack: sentBackOf(row),
        at: new Date(row.updated_at),
      }
    }
    const last = rows.at(-1)
    if (!last) return
    after = { number: last.number, attempt: last.attempt }
  }
}

function sentBackOf({ state, idempotency_key, refund_reference }: ChargeRow): OurCharge['sentBack'] {
  if (state !== 'surplus' && state !== 'returned') return undefined
  const names = [surplusKey(idempotency_key), ...(refund_reference === null ? [] : [refund_reference])]
  return { isDone: state === 'returned', names }
}

export async function readPaidCharges(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<PaidChargeRow[]> {
  return numbers.length === 0 ? [] : listPaidCharges(db, merchantId, numbers)
}

export type KnownCharge = { readonly merchantId: number; readonly txRef: string }

const namesAtOnce = 1_000

/** By the network's ids: charges through an account of ours, however old. */
export async function findKnownCharges(
  db: Database,
  accountIds: readonly string[],
  references: readonly string[],
): Promise<Map<string, KnownCharge>> {
  const known = new Map<string, KnownCharge>()
  if (references.length === 0) return known // No test: saves a statement that would do nothing
  const merchants = new Set<number>()
  for (const id of accountIds)
    for (const merchantId of await findMerchantsThrough(db, id, new Date(0))) merchants.add(merchantId)
  for (const merchantId of merchants) {
    // No test: saves a statement that would do nothing
    for (let at = 0; at < references.length; at += namesAtOnce) {
      const rows = await listNamed(db, merchantId, references.slice(at, at + namesAtOnce))
      for (const row of rows) known.set(row.charge_reference, { merchantId, txRef: row.tx_ref })
    }
  }
  return known
}

/** The numbers of payments that charges through one account paid, by the network's names. */
export async function findPaidNumbers(
  db: Queryable,
  of: { readonly merchantId: number; readonly accountId: string },
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (references.length === 0) return new Map() // No test: saves a statement that would do nothing
  const rows = await listNumbers(db, of.merchantId, of.accountId, references)
  return new Map(rows.map((row) => [row.charge_reference, row.number]))
}
