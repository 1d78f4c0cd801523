import type { Html } from '../../../platform/http/html.ts'
import type { CheckoutView } from '../../payments/checkout-view.ts'
import type { Checkout } from '../checkout.ts'
import type { PageModel, PagePart } from '../page-model.ts'

// What modules add to a payment's pages, read with the payment.

export async function readParts(
  { modules }: Checkout,
  view: CheckoutView,
  returned: boolean,
): Promise<readonly PagePart[]> {
  const read = await Promise.all(modules.map(async (module) => module.read?.(view, returned)))
  return read.filter((part) => part !== undefined)
}

export function hasWays({ parts = [] }: PageModel): boolean {
  return parts.some(({ ways }) => ways)
}

export function partsOf(model: PageModel, place: keyof PagePart): readonly (Html | false | undefined)[] {
  return (model.parts ?? []).map((part) => part[place]?.(model))
}
