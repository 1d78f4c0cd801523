import type { RefundOrder } from '../src/core/networks/connector.ts'
import { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { bySystem } from '../src/core/audit/audit.ts'
import { readMerchant } from '../src/core/merchants/authenticate.ts'
import { makePaying } from '../src/core/payments/attempts/paying.ts'
import { paymentColumns, type PaymentRow } from '../src/core/payments/store.ts'
import { requestRefund } from '../src/modules/refunds/request-refund.ts'
import { furnishTill } from '../test/support/till.ts'

// A process that asks for a refund of each of some payments at once, and kills itself with SIGKILL when the network has
// booked all of them and none of their ends is committed. refund-victims.test.ts starts it.

const [databaseUrl = '', merchant = '', numbers = '', refundRef = ''] = process.argv.slice(2)
const merchantId = Number(merchant)
const db = new Database(databaseUrl, { poolSize: 10, name: 'victim', statementTimeoutMs: 300_000 })
const { network, deps } = furnishTill(
  db,
  () => new Date(),
  () => {},
)
const payments = await db.query<PaymentRow>(sql`
  select ${paymentColumns} from payments where merchant_id = ${merchantId} and number = any(${numbers.split(',')}::text[])`)
let booked = 0
const paying = makePaying({
  ...deps,
  connectors: [
    {
      ...network,
      async refund(order: RefundOrder, signal: AbortSignal) {
        await network.refund(order, signal)
        booked += 1
        if (booked === payments.length) process.kill(process.pid, 'SIGKILL')
        return new Promise<never>(() => {})
      },
    },
  ],
})
const refunding = {
  db,
  log: paying.log,
  now: paying.now,
  paying,
  findMerchant: async () => readMerchant(db, merchantId),
  metrics: { refundMoved: () => {} },
}
await Promise.all(
  payments.map(async (payment) =>
    requestRefund(
      refunding,
      payment,
      { refundRef: `${refundRef}-${payment.number}`, amountMinor: 100n, reason: undefined },
      bySystem,
    ),
  ),
)
