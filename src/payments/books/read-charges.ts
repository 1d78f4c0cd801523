import type { Database } from '../../database/database.ts'
import type { OurCharge } from './compare-books.ts'
import { findMerchantsThrough } from './account-look-store.ts'
import { listCharges } from './charge-store.ts'

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
        at: new Date(row.updated_at),
      }
    }
    const last = rows.at(-1)
    if (!last) return
    after = { number: last.number, attempt: last.attempt }
  }
}
