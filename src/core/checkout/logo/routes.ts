import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { limitMisses } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import type { Picture } from '../../merchants/pictures/pictures.ts'
import type { Checkout } from '../checkout.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'

// Logos, from our own database: no customer's browser calls a stranger's server, and no stranger learns who pays.

type LogoRequest = FastifyRequest<{ Params: { merchant: string; id: string } }>

export function addLogos(scope: Server, checkout: Checkout): void {
  const { pictures } = checkout

  scope.get('/logo/:merchant/:id', async (request: LogoRequest, reply) => {
    const { merchant, id } = request.params
    const isAddress = /^[1-9]\d{7}$/.test(merchant) && /^[\da-f]{32}$/.test(id)
    const picture = await limitMisses(checkout.missLimit, networkOf(request.ip), async () => {
      const found = isAddress ? await pictures.byId(Number(merchant), id) : undefined
      return found ?? refuse()
    })
    // In mails, which are read on pages of other sites.
    return sendPicture(reply.header('cross-origin-resource-policy', 'cross-origin'), picture)
  })

  scope.get('/payment/:digits/logo', async (request: CheckoutRequest, reply) => {
    const { view } = await openPayment(checkout, request)
    const { merchant_id: merchantId, mode, logo } = view.payment
    const scopeOf = mode === 'test' && checkout.isOwnMachine ? 'local' : 'public'
    const picture = logo === null ? undefined : await pictures.fetched(merchantId, logo, scopeOf)
    return picture ? sendPicture(reply, picture) : refuse()
  })
}

function refuse(): never {
  throw new Refusal('not_found', 'There is no such picture')
}

/** Kept for good: another picture has another address. Opened by itself, it is a picture and nothing else. */
function sendPicture(reply: FastifyReply, picture: Picture): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('content-disposition', 'inline')
    .type(picture.type)
    .send(picture.bytes)
}
