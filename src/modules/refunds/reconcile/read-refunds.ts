import type { Database } from '../../../platform/database/database.ts'
import { readPaidCharges } from '../../../core/payments/reconcile/read-charges.ts'
import type { RefundRow } from '../store.ts'
import { listMoved } from './book-store.ts'
import type { OurRefund } from './compare-refunds.ts'
import { findMerchantsWithRefunds } from './merchants-look-store.ts'

/** Every refund that changed since then, of a charge through one of these accounts. */
export async function* readAllRefunds(
  db: Database,
  accountIds: readonly string[],
  since: Date,
): AsyncGenerator<OurRefund> {
  for (const merchantId of await findMerchantsWithRefunds(db, since)) {
    let after = ''
    for (;;) {
      const rows = await listMoved(db, merchantId, { since, after })
      const numbers = [...new Set(rows.map(({ number }) => number))]
      const charges = await readPaidCharges(db, merchantId, numbers)
      const through = new Set(
        charges.filter(({ account_id }) => accountIds.includes(account_id)).map(({ number }) => number),
      )
      for (const row of rows) if (through.has(row.number)) yield ourRefund(row)
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

const ends = { requested: 'open', submitted: 'open', succeeded: 'done', failed: 'failed' } as const

function ourRefund(row: RefundRow): OurRefund {
  return {
    merchantId: row.merchant_id,
    txRef: row.tx_ref,
    names: [row.id, ...(row.refund_reference === null ? [] : [row.refund_reference])],
    end: ends[row.state],
    money: { amountMinor: row.amount_minor, currency: row.currency },
    at: new Date(row.updated_at),
  }
}
