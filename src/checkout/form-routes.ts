import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { asRefusal, sendRefusal } from '../http/error-handler.ts'
import { addFormBodies, type FormFields } from '../http/form-body.ts'
import { sendPage } from '../http/page.ts'
import { prefersJson } from '../http/prefers-json.ts'
import { refuseIfWaiting, type RateLimit } from '../http/rate-limit.ts'
import type { Server } from '../http/server.ts'
import type { Authenticated, Authenticator } from '../merchants/authenticate.ts'
import type { CreatePayment } from '../payments/create-payment.ts'
import { noteKeyInForm } from '../payments/key-in-form.ts'
import { formAsJson, inFormWords } from '../payments/read-form.ts'
import { readPayment, urlMistake } from '../payments/read-payment.ts'
import { formRefusedPage } from './pages/form-refused.ts'

// POST /ext_transfer: a payment started by a form on the merchant's own page, sent by the customer's browser. Good
// ones go to the checkout page, bad ones get a page that a customer understands. No cookie is read or set.

export type FormRoutes = {
  readonly db: Database
  readonly authenticator: Authenticator
  readonly keyLimit: RateLimit
  readonly createPayment: CreatePayment
}

export function addForm(server: Server, deps: FormRoutes): void {
  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.setErrorHandler((error, request, reply) => refuse(request, reply, error, undefined, undefined))
    scope.post<{ Body: FormFields | undefined }>('/ext_transfer', async (request, reply) => {
      const fields: FormFields = request.body instanceof Map ? request.body : new Map()
      let caller: Authenticated | undefined
      try {
        const known = await deps.authenticator.formKey(fields.get('secret_key'))
        caller = known
        refuseIfWaiting(deps.keyLimit.take(known.keyId))
        await noteKeyInForm(deps.db, known)
        const bodyText = formAsJson(fields)
        const payment = readPayment(JSON.parse(bodyText), known, bodyText)
        const url = await deps.createPayment(known, payment, { type: 'Form' })
        return await reply.redirect(url, 303)
      } catch (error) {
        return refuse(request, reply, error, caller, fields.get('return_url'))
      }
    })
  })
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  caller: Authenticated | undefined,
  returnUrl: string | undefined,
): FastifyReply {
  const refusal = inFormWords(asRefusal(error))
  if (refusal.status >= 500) request.log.error({ err: error, request_id: request.id }, refusal.message)
  if (prefersJson(request.headers.accept)) {
    sendRefusal(reply, refusal)
    return reply
  }
  const page = formRefusedPage(refusal, wayBack(caller, returnUrl), request.id)
  return sendPage(reply, refusal.status, page, {}, refusal.headers)
}

/** Only for a merchant we know, and for a form key only to its own hosts: nobody else may put a link on our page. */
function wayBack(
  caller: Authenticated | undefined,
  returnUrl: string | undefined,
): { shop: string; url?: string } | undefined {
  if (!caller) return undefined
  const shop = caller.merchant.name
  if (!returnUrl || urlMistake(returnUrl, undefined) !== undefined) return { shop }
  const url = new URL(returnUrl)
  if (caller.bounds && !caller.bounds.hosts.includes(url.hostname)) return { shop }
  return { shop, url: url.origin }
}
