import type { EventHandlers } from '../core/callbacks/work-on-events.ts'
import { refundsOnCheckout } from '../modules/refunds/checkout/part.ts'
import { savedMethodsOnCheckout } from '../modules/saved-methods/checkout/part.ts'
import { disputeCallbacks } from '../modules/disputes/callbacks.ts'
import type { Linking } from '../modules/links/linking.ts'
import type { PaymentMembers } from '../core/payments/slots/payment-members.ts'
import { payoutCallbacks } from '../modules/payouts/callbacks.ts'
import { refundCallbacks } from '../modules/refunds/callbacks.ts'
import { refundsOf } from '../modules/refunds/find-refunds.ts'
import { presentRefund } from '../modules/refunds/present.ts'
import { makeRefundMetrics, type Refunding } from '../modules/refunds/refunding.ts'
import { methodCallbacks } from '../modules/saved-methods/callbacks.ts'
import { withUsable } from '../modules/saved-methods/find-methods.ts'
import type { MethodKeeping } from '../modules/saved-methods/keeping.ts'
import type { Services } from '../core/core-services.ts'

export type Opened = ReturnType<typeof openModules>

/** What modules give to this process. They know the core's services; the core knows none of them. */
export function openModules({
  db,
  log,
  now,
  secrets,
  metrics,
  paying,
  findMerchant,
  createPayment,
}: Services) {
  const core = { db, log, now }
  const networks = paying.connectors.map(({ name }) => name)
  const refunding: Refunding = {
    ...core,
    paying,
    findMerchant,
    metrics: makeRefundMetrics(metrics, networks),
  }
  const methodKeeping: MethodKeeping = { ...core, secrets, paying }
  const linking: Linking = { ...core, paying, createPayment }
  return {
    refunding,
    methodKeeping,
    linking,
    checkoutModules: [refundsOnCheckout(db), savedMethodsOnCheckout(methodKeeping)],
    callbacks: {
      ...refundCallbacks(refunding),
      ...disputeCallbacks(paying),
      ...methodCallbacks(paying),
      ...payoutCallbacks(paying),
    } satisfies EventHandlers,
    members: {
      refresh: async (payments) => withUsable(db, payments),
      refunds: async (payment) => (await refundsOf(db, payment)).map((refund) => presentRefund(refund)),
    } satisfies PaymentMembers,
  }
}
