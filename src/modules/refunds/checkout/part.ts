import type { Database } from '../../../platform/database/database.ts'
import { refundsOf, type RefundRow } from '../find-refunds.ts'
import type { CheckoutModule } from '../../../core/checkout/checkout.ts'
import type { PagePart } from '../../../core/checkout/page-model.ts'
import { addRefundReceipts } from './receipt-routes.ts'
import { partNotice, refundList } from './refund-list.ts'

/** What a payment's page shows of its refunds. */
export function refundsOnCheckout(db: Database): CheckoutModule {
  return {
    async read({ payment }) {
      return refundPart(await refundsOf(db, payment))
    },
    addRoutes: addRefundReceipts,
  }
}

export function refundPart(refunds: readonly RefundRow[]): PagePart {
  return { notice: partNotice, lines: (model) => refundList(model, refunds) }
}
