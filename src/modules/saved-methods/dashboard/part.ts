import type { Html } from '../../../platform/http/html.ts'
import { methodsOf, type MethodRow } from '../find-methods.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { section } from '../../../dashboard/parts/things.ts'
import type { DashboardPart } from '../../../dashboard/slots.ts'
import { chargeFailureNotice, savedFacts } from './charge-notice.ts'
import { methodsTable } from './methods-table.ts'

// Saved methods on the pages of a payment and of a customer.

export const savedMethodsPart: DashboardPart = {
  order: 20,
  payment: async (ask, { payment, attempts }) => ({
    // A held charge has its own notice.
    notice: attempts.some(({ state }) => state === 'held') ? undefined : chargeFailureNotice(ask, payment),
    methodFacts: savedFacts(ask, payment),
  }),
  customer: async (ask, { saved }) => {
    const { merchant, mode } = ask.place
    return methodsSection(ask, await methodsOf(ask.core.db, { merchantId: merchant.id, mode }, saved))
  },
}

export function methodsSection(ask: MemberAsk, methods: readonly MethodRow[]): Html | undefined {
  return methods.length > 0 ? section('Saved methods', methodsTable(ask, methods)) : undefined
}
