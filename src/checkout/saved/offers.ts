import type { AttemptView, CheckoutView } from '../../payments/checkout-view.ts'
import { usableMethods } from '../../saved-methods/customer/pay-present.ts'
import type { Checkout } from '../checkout.ts'
import type { SavedOffer } from '../page-model.ts'
import { basicScreen } from '../screens.ts'

// Which saved methods a customer can pay with by one press.

/** Reads nothing for a payment without a customer, as most are. */
export async function savedOffers(
  { methodKeeping }: Checkout,
  view: CheckoutView,
  returned: boolean,
): Promise<{ saved?: readonly SavedOffer[] }> {
  if (view.payment.saving === null || basicScreen(view, returned) !== 'pay') return {}
  const methods = await usableMethods(methodKeeping, view.payment)
  return { saved: methods.filter(({ id }) => isWorthATry(id, view.lastAttempt)) }
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
