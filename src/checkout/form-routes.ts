import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import { asRefusal, sendRefusal } from '../http/error-handler.ts'
import { addFormBodies } from '../http/form-body.ts'
import type { FormFields } from '../input/form-fields.ts'
import { sendPage } from '../http/page.ts'
import { prefersJson } from '../input/prefers-json.ts'
import { refuseIfWaiting, type RateLimit } from '../http/rate-limit.ts'
import type { Server } from '../http/server.ts'
import type { Authenticated, Authenticator } from '../merchants/authenticate.ts'
import type { Outbox } from '../notifications/outbox.ts'
import type { CreatePayment } from '../payments/create-payment.ts'
import type { FindPayment } from '../payments/find-payment.ts'
import { noteKeyInForm } from '../payments/api/note-key-in-form.ts'
import { formAsJson, inFormWords } from '../payments/api/read-form.ts'
import { urlMistake } from '../input/url.ts'
import { readPayment } from '../payments/api/read-payment.ts'
import { startedBefore, type StartedBefore } from '../payments/api/started-before.ts'
import { formRefusedPage, type WayBack } from './pages/form-refused.ts'

// POST /ext_transfer: a payment started by a form on the merchant's own page, sent by the customer's browser. Good
// ones go to the checkout page, bad ones get a page that a customer understands. No cookie is read or set.

export type FormRoutes = {
  readonly db: Database
  readonly outbox: Outbox
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly createPayment: CreatePayment
  readonly findPayment: FindPayment
  readonly baseUrl: string
}

export function addForm(server: Server, deps: FormRoutes): void {
  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.setErrorHandler((error, request, reply) => refuse(request, reply, error))
    scope.post<{ Body: FormFields | undefined }>('/ext_transfer', async (request, reply) => {
      const fields: FormFields = request.body ?? new Map()
      const seen: Seen = { returnUrl: fields.get('return_url') }
      try {
        const known = await deps.authenticator.formKey(fields.get('secret_key'))
        seen.caller = known
        refuseIfWaiting(deps.keyLimit.take(known.keyId))
        await noteKeyInForm(deps, known)
        const bodyText = formAsJson(fields)
        const payment = readPayment(JSON.parse(bodyText), known, bodyText)
        const { url } = await deps
          .createPayment(known, payment, { type: 'Form' })
          .catch(async (error: unknown) => {
            if (error instanceof Refusal && error.code === 'tx_ref_taken') {
              seen.before = await startedBefore(deps.findPayment, known, payment, deps.baseUrl)
            }
            throw error
          })
        return await reply.redirect(url, 303)
      } catch (error) {
        return refuse(request, reply, error, seen)
      }
    })
  })
}

/** What was found out about a form before it was refused. */
type Seen = { returnUrl?: string | undefined; caller?: Authenticated; before?: StartedBefore | undefined }

function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, seen: Seen = {}): FastifyReply {
  const refusal = inFormWords(asRefusal(error))
  if (refusal.status >= 500) request.log.error({ err: error, request_id: request.id }, refusal.message)
  if (prefersJson(request.headers.accept)) {
    sendRefusal(reply, refusal)
    return reply
  }
  const page = formRefusedPage(refusal, wayBack(seen), seen.before, request.id)
  return sendPage(reply, refusal.status, page, {}, refusal.headers)
}

/** Only for a merchant we know, and for a form key only to its own hosts: nobody else may put a link on our page. */
function wayBack({ caller, returnUrl }: Seen): WayBack | undefined {
  if (!caller) return undefined
  const shop = caller.merchant.name
  if (!returnUrl || urlMistake(returnUrl) !== undefined) return { shop }
  const url = new URL(returnUrl)
  if (caller.bounds && !caller.bounds.hosts.includes(url.hostname)) return { shop }
  return { shop, url: url.origin }
}
