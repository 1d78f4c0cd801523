import type { AttemptView, CheckoutView } from '../../../core/payments/checkout-view.ts'
import { usableMethods } from '../customer/pay-present.ts'
import type { MethodKeeping } from '../keeping.ts'
import { basicScreen } from '../../../core/checkout/screens.ts'

// Which saved methods a customer can pay with by one press.

/** All that the page shows of a saved method. */
export type SavedOffer = {
  readonly id: string
  readonly kind: 'card' | 'debit'
  readonly brand: string | null
  readonly last4: string | null
}

/** Reads nothing for a payment without a customer, as most are. */
export async function savedOffers(
  keeping: MethodKeeping,
  view: CheckoutView,
  returned: boolean,
): Promise<readonly SavedOffer[]> {
  if (view.payment.saving === null || basicScreen(view, returned) !== 'pay') return []
  const methods = await usableMethods(keeping, view.payment)
  return methods.filter(({ id }) => isWorthATry(id, view.lastAttempt))
}

/**
 * A method that was just declined isn't offered first again. Customers who refused at their bank may think again, and a charge
 * without them that their bank wants to ask about is what they came for, unless the network can only ask on its own page.
 */
export function isWorthATry(id: string, last: AttemptView | undefined): boolean {
  if (last?.state !== 'declined' || last.savedMethodId !== id) return true
  if (last.declineReason === 'needs_customer') return last.hosted === undefined
  return last.declineReason === 'challenge_refused'
}
