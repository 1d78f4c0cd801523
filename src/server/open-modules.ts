import type { EventHandlers } from '../callbacks/work-on-events.ts'
import { refundsOnCheckout } from '../checkout/refunds/part.ts'
import { savedMethodsOnCheckout } from '../checkout/saved/part.ts'
import { disputeCallbacks } from '../disputes/callbacks.ts'
import type { Linking } from '../links/linking.ts'
import type { PaymentMembers } from '../payments/slots/payment-members.ts'
import { payoutCallbacks } from '../payouts/callbacks.ts'
import { refundCallbacks } from '../refunds/callbacks.ts'
import { refundsOf } from '../refunds/find-refunds.ts'
import { presentRefund } from '../refunds/present.ts'
import { makeRefundMetrics, type Refunding } from '../refunds/refunding.ts'
import { methodCallbacks } from '../saved-methods/callbacks.ts'
import { withUsable } from '../saved-methods/find-methods.ts'
import type { MethodKeeping } from '../saved-methods/keeping.ts'
import type { Services } from './core-services.ts'

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
