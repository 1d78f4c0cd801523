import { Refusal } from '../../../platform/errors/refusals.ts'
import { success } from '../../../platform/http/envelope.ts'
import { refuseIfWaiting, type RateLimit } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import { isSigned } from '../ipn/signature.ts'
import { drawnWebhookSecrets } from '../ipn/webhook-secrets.ts'
import type { Notifications } from '../notifications.ts'
import { testReceiverPath } from './address.ts'

// POST /test-receiver/<merchant>: a receiver as a merchant would write one. It verifies the signature and says so, and
// stores nothing: the request and the answer are already with the delivery. Anything Florin didn't sign for this
// merchant in test mode is refused.

export type TestReceiverRoutes = {
  readonly notifications: Notifications
  /** Forged ones of one address. */
  readonly forgedLimit: RateLimit
}

/** A payment of 64 KiB, and the rest of the payload. */
const bodyLimitBytes = 256 * 1024

export function addTestReceiver(server: Server, { notifications, forgedLimit }: TestReceiverRoutes): void {
  void server.register(async (scope) => {
    // A signature is over the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
    type Address = { Params: { merchant: string } }
    scope.post<Address>(testReceiverPath, { bodyLimit: bodyLimitBytes }, async (request) => {
      const number = request.params.merchant
      if (!/^[1-9]\d{7}$/.test(number))
        throw new Refusal('not_found', 'Nothing exists at this URL: see /docs')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const owner = { merchantId: Number(number), mode: 'test' } as const
      const now = notifications.now()
      const secrets = await drawnWebhookSecrets(notifications, owner, now)
      if (!isSigned({ headers: request.headers, body, now }, secrets)) {
        refuseIfWaiting(forgedLimit.take(networkOf(request.ip)))
        throw new Refusal('unauthorized', "The signature doesn't match the webhook secret of test mode")
      }
      return success('Received with a valid signature', null)
    })
  })
}
