import { pictureIdOf } from '../../merchants/pictures/pictures.ts'
import type { CheckoutView } from '../../payments/checkout-view.ts'
import type { Checkout } from '../checkout.ts'
import type { Shop } from '../page-model.ts'

/** The payment's shop, with the payment's own logo before the merchant's. */
export async function shopOf(
  { pictures }: Pick<Checkout, 'pictures'>,
  prefix: string,
  digits: string,
  { payment, merchantName, brand }: CheckoutView,
): Promise<Shop> {
  const address = (id: string): string => `${prefix}/logo/${payment.merchant_id}/${id}`
  const known = payment.logo === null ? 'refused' : await pictures.look(payment.merchant_id, payment.logo)
  const shop = { name: merchantName, brand }
  if (payment.logo !== null && known === 'there') return { ...shop, logo: address(pictureIdOf(payment.logo)) }
  // Fetched by us when the browser asks for it. The script takes away a picture that does not come.
  if (known === 'unknown') return { ...shop, logo: `${prefix}/payment/${digits}/logo` }
  return brand.logoId === undefined ? shop : { ...shop, logo: address(brand.logoId) }
}
