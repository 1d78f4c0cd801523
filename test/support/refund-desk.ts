import type { RefundOrder, RefundStatus } from '../../src/core/networks/connector.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { bySystem } from '../../src/core/audit/audit.ts'
import { readMerchant, type Merchant } from '../../src/core/merchants/authenticate.ts'
import type { Payable } from '../../src/core/payments/attempts/pay.ts'
import { applyStatus, refundKey } from '../../src/modules/refunds/apply-status.ts'
import { reconcileRefunds } from '../../src/modules/refunds/reconcile-refunds.ts'
import type { Refunding } from '../../src/modules/refunds/refunding.ts'
import { requestRefund } from '../../src/modules/refunds/request-refund.ts'
import { findById, findReserved, type RefundRow } from '../../src/modules/refunds/store.ts'
import { cards, type Till } from './till.ts'

// Refunds without HTTP, at a network that says about a refund what the test wants it to say.

export type RefundDesk = {
  readonly refunding: Refunding
  /** What the network says to whatever it is asked; undefined: no answer. */
  says: RefundStatus | undefined
  /** What it was asked, in order. */
  readonly asked: ('refund' | 'fetchRefund')[]
  readonly orders: RefundOrder[]
  /** £1,234.50, paid. */
  paid(): Promise<Payable>
  request(key: Payable, amountMinor?: bigint): Promise<RefundRow>
  apply(refund: RefundRow, status: RefundStatus): Promise<RefundRow>
  read(refund: RefundRow): Promise<RefundRow>
  reserved(key: Payable): Promise<bigint>
  /** Rounds of the worker until nothing is due; returns how many refunds were looked at. */
  work(): Promise<number>
}

let drawn = 0

export function openRefundDesk(till: Till, merchant: Partial<Merchant> = {}): RefundDesk {
  const answer = (verb: 'refund' | 'fetchRefund') => async (order: RefundOrder) => {
    desk.asked.push(verb)
    desk.orders.push(order)
    if (!desk.says) throw new Error('connection reset')
    return desk.says
  }
  const refunding: Refunding = {
    ...till.core,
    paying: till.with({ refund: answer('refund'), fetchRefund: answer('fetchRefund') }),
    async findMerchant(merchantId) {
      const found = await readMerchant(till.db, merchantId)
      return found && { ...found, ...merchant }
    },
    metrics: { refundMoved: () => {} },
  }
  const desk: RefundDesk = {
    refunding,
    says: undefined,
    asked: [],
    orders: [],
    async paid() {
      const key = await till.newPayment()
      const { kind } = await till.payer.pay(key, cards.good)
      if (kind !== 'paid') throw new Error(`The payment is ${kind}`)
      return key
    },
    async request(key, amountMinor) {
      drawn += 1
      const request = { refundRef: `desk-${drawn}`, amountMinor, reason: undefined }
      return (await requestRefund(refunding, await till.read(key), request, bySystem)).refund
    },
    apply: async (refund, status) =>
      applyStatus(refunding, refundKey(refund), { ...status, connector: 'test-network' }),
    async read({ merchant_id: merchantId, id }) {
      const found = await findById(till.db, { merchantId, id })
      if (!found) throw new Error('There is no such refund')
      return found
    },
    reserved: async (key) => findReserved(till.db, key),
    async work() {
      let [count, sum] = [0, 0]
      do sum += count = await reconcileRefunds(refunding)
      while (count > 0)
      return sum
    },
  }
  return desk
}

/** So that the worker of a test looks at its own refunds alone. */
export async function forgetRefunds(till: Till): Promise<void> {
  await till.db.query(sql`update refunds set next_check_at = null where merchant_id = ${till.merchantId}`)
}
