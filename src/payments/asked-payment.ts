import type { FastifyRequest } from 'fastify'
import { requireText } from '../errors/fields.ts'
import { limitMisses, type RateLimit } from '../http/rate-limit.ts'
import type { Authenticated } from '../merchants/authenticate.ts'
import type { Mode } from '../merchants/key-format.ts'
import type { FindPayment } from './find-payment.ts'
import type { PaymentRow } from './store.ts'

type Deps = { readonly findPayment: FindPayment; readonly missLimit: RateLimit }
type Caller = Pick<Authenticated, 'merchant'> & { readonly mode: Mode }

/** The payment whose tx_ref stands in the path, by the rules of every route that has one there. */
export async function askedPayment(
  deps: Deps,
  caller: Caller,
  request: FastifyRequest<{ Params: { tx_ref: string } }>,
): Promise<PaymentRow> {
  const txRef = requireText('tx_ref', request.params.tx_ref)
  return limitMisses(deps.missLimit, request.ip, () =>
    deps.findPayment(caller.merchant.id, caller.mode, txRef),
  )
}
