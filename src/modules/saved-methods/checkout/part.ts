import { recordConsent } from '../consents.ts'
import type { MethodKeeping } from '../keeping.ts'
import type { CheckoutModule } from '../../../core/checkout/checkout.ts'
import type { PagePart } from '../../../core/checkout/page-model.ts'
import { savedOffers, type SavedOffer } from './offers.ts'
import { endPath, methodLink } from './page.ts'
import { addOnePress, addSavedMethod } from './routes.ts'
import { savedWays } from './ways.ts'

/** What a payment's page shows of saved methods. */
export function savedMethodsOnCheckout(keeping: MethodKeeping): CheckoutModule {
  return {
    read: async (view, returned) => savedPart(await savedOffers(keeping, view, returned)),
    addRoutes(scope, checkout) {
      addSavedMethod(scope, checkout, keeping)
      addOnePress(scope, checkout, keeping)
    },
    agreed: async (consent) => recordConsent(keeping.db, consent),
    calmPath: endPath,
  }
}

export function savedPart(saved: readonly SavedOffer[]): PagePart {
  return { link: methodLink, ...(saved.length > 0 && { ways: (model) => savedWays(model, saved) }) }
}
