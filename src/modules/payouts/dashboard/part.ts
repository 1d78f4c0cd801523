import { readBalances } from '../read-balance.ts'
import { bookedFor, bookedForRefund } from '../find-payouts.ts'
import { paymentsFile } from '../bookkeeping/payments-file.ts'
import type { DashboardPart } from '../../../dashboard/slots.ts'
import { payoutMatters } from './matters.ts'
import { drawNextMoney } from './next-money.ts'
import { describeKept, paymentMoney, refundMoney } from './money-facts.ts'

// What networks booked, on the pages of a payment and of a refund; on Home, what comes to the bank next and what it refused.

export const payoutsPart: DashboardPart = {
  order: 60,
  payment: async (ask, { payment }) => ({
    moneyFacts: paymentMoney(ask, payment, await bookedFor(ask.core.db, payment.merchant_id, payment.number)),
  }),
  home: async (ask) => {
    const { merchant, mode } = ask.place
    const balances = await readBalances(ask.core.db, { merchantId: merchant.id, mode }, ask.core.now())
    return { body: drawNextMoney(ask, balances) }
  },
  matters: payoutMatters,
  paymentsFile,
  refund: {
    facts: async (ask, refund) =>
      refundMoney(ask, refund, await bookedForRefund(ask.core.db, ask.place.merchant.id, refund)),
    kept: async (ask, payment, leftMinor) =>
      describeKept(payment, leftMinor, await bookedFor(ask.core.db, payment.merchant_id, payment.number)),
  },
}
