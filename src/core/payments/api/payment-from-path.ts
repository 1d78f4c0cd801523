import type { FastifyRequest } from 'fastify'
import { limitMisses, type RateLimit } from '../../../platform/http/rate-limit.ts'
import { requireText } from '../../../platform/input/fields.ts'
import type { Caller } from '../../merchants/authenticate.ts'
import type { FindPayment } from '../find-payment.ts'
import type { PaymentRow } from '../store.ts'

export type PaymentFromPath = (
  caller: Pick<Caller, 'merchant' | 'mode' | 'keyId'>,
  request: FastifyRequest<{ Params: { tx_ref: string } }>,
) => Promise<PaymentRow>

/** The payment whose tx_ref is in the path, by the same rules for every route. */
export function makePaymentFromPath(findPayment: FindPayment, missLimit: RateLimit): PaymentFromPath {
  return async (caller, request) => {
    const txRef = requireText('tx_ref', request.params.tx_ref)
    return limitMisses(missLimit, caller.keyId, () => findPayment(caller.merchant.id, caller.mode, txRef))
  }
}
