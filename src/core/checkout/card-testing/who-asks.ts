import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Asker } from '../../payments/attempts/pay.ts'
import type { PaymentKey } from '../../payments/checkout-view.ts'
import type { Checkout } from '../checkout.ts'
import type { CheckoutRequest } from '../open-payment.ts'
import { formFields } from '../own-form.ts'

// Whose declines a post counts towards, and whether it brings the proof required while its merchant is under attack.

export type WhoAsks = {
  /** Undefined: the merchant's own program, whose declines are not counted. */
  readonly asker: Asker | undefined
  /** The page that was posted, when it was too young for a proof, and until when it is. */
  readonly pause: { readonly token: string; readonly until: Date } | undefined
}

export async function whoAsks(
  checkout: Checkout,
  request: CheckoutRequest,
  payment: PaymentKey,
): Promise<WhoAsks> {
  if (await isMerchant(checkout, request, payment)) return { asker: undefined, pause: undefined }
  const form = formFields(request)
  const token = form.get('proof')
  const address = request.ip
  if (token === undefined) return { asker: { address }, pause: undefined }
  const checked = await checkout.cardTesting.proofs.check(
    request.params.digits,
    token,
    form.get('nonce') ?? '',
  )
  if (checked.kind === 'proven') return { asker: { address, provenFor: checked.attempt }, pause: undefined }
  const pause = checked.kind === 'too_early' ? { token, until: checked.until } : undefined
  return { asker: { address }, pause }
}

/**
 * Behind an untrusted proxy all customers share its address, and wait for one another's declines. Only the operator can
 * notice and fix that.
 */
export function warnOfProxy(request: CheckoutRequest): void {
  if (request.headers['x-forwarded-for'] === undefined || request.ips !== undefined) return
  request.log.warn(
    { request_id: request.id },
    'A customer who has to wait came by a proxy that TRUSTED_PROXIES does not name: all who come by it count as one',
  )
}

/** A shop's own tests decline all day from one address: the test key they already have identifies them. */
async function isMerchant(
  { authenticator }: Checkout,
  request: CheckoutRequest,
  payment: PaymentKey,
): Promise<boolean> {
  const { authorization } = request.headers
  if (authorization === undefined) return false
  try {
    const caller = await authenticator.secretKey(authorization)
    return caller.mode === 'test' && caller.merchant.id === payment.merchantId
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
