import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import type { FindPayment } from '../find-payment.ts'
import { checkoutUrl } from '../present.ts'
import type { PaymentRequest } from './read-payment.ts'
import type { PaymentState } from '../state-machine.ts'

export type StartedBefore = { readonly state: PaymentState; readonly checkoutUrl: string }

/**
 * The payment the same form already created: a customer went back and pressed the shop's button again, or pressed it
 * twice. Undefined if it was for something or someone else, who must not be shown to this customer.
 */
export async function startedBefore(
  findPayment: FindPayment,
  { merchant, mode }: Caller,
  request: PaymentRequest,
  baseUrl: string,
): Promise<StartedBefore | undefined> {
  const payment = await findPayment(merchant.id, mode, request.txRef).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  const isSame =
    payment?.amount_minor === request.amountMinor &&
    payment.currency === request.currency &&
    // A form without an address: the customer may have typed theirs since.
    (request.email === '' || payment.email === request.email) &&
    payment.first_name === request.firstName &&
    payment.last_name === request.lastName
  return isSame ? { state: payment.state, checkoutUrl: checkoutUrl(payment, baseUrl) } : undefined
}
