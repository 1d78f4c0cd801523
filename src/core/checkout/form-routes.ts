import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { asRefusal, sendRefusal } from '../../platform/http/error-handler.ts'
import { addFormBodies } from '../../platform/http/form-body.ts'
import { noteCaller } from '../../platform/http/note-answer.ts'
import { sendPage, type StyleFile } from '../../platform/http/page.ts'
import { refuseIfWaiting, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Server } from '../../platform/http/server.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { networkOf } from '../../platform/input/network-of.ts'
import { urlMistake } from '../../platform/input/url.ts'
import { ownerOf, type Authenticator, type Caller } from '../merchants/authenticate.ts'
import { openFormSecret } from '../merchants/form-secret.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Outbox } from '../notifications/outbox.ts'
import { recordFormRefusal } from '../payments/api/form-refusals.ts'
import { alsoSigned, checkSignature, mayShowTitle } from '../payments/api/form-signature.ts'
import { noteKeyInForm } from '../payments/api/note-key-in-form.ts'
import { formAsJson, inFormWords } from '../payments/api/read-form.ts'
import { readPayment } from '../payments/api/read-payment.ts'
import type { FindNetworkTakes } from '../payments/attempts/hosted/network-takes.ts'
import { startedBefore, type StartedBefore } from '../payments/api/started-before.ts'
import type { CreatePayment } from '../payments/create-payment.ts'
import type { FindPayment } from '../payments/find-payment.ts'
import { shopOfMerchant } from './logo/known-shops.ts'
import { isOfCustomer, ownFields } from './own-details.ts'
import { formRefusedPage, type RefusedForm } from './parts/form-refused.ts'
import { readSetting } from './read-setting.ts'
import { makeSealedForms, type SealedForms } from './sealed-form.ts'

// POST /ext_transfer: a payment started by a form on the merchant's own page, sent by the customer's browser. Good
// ones go to the checkout page, bad ones get a page that a customer understands. No cookie is read or set.

export type FormRoutes = {
  readonly db: Database
  readonly secrets: Secrets
  readonly outbox: Outbox
  readonly authenticator: Authenticator
  /** Per key and client address: flooding a form leaves the shop's other customers alone. */
  readonly formLimit: RateLimit
  readonly createPayment: CreatePayment
  readonly findPayment: FindPayment
  readonly networkTakes: FindNetworkTakes
  readonly baseUrl: string
  readonly styleFile: StyleFile
  readonly now: () => Date
}

type Forms = FormRoutes & { readonly sealedForms: SealedForms; readonly prefix: string }

/** What was known about a form before it was refused. */
type Seen = { fields: FormFields; caller?: Caller; before?: StartedBefore | undefined }

export function addForm(server: Server, deps: FormRoutes): void {
  const prefix = new URL(deps.baseUrl).pathname.replace(/\/+$/, '')
  const forms: Forms = { ...deps, prefix, sealedForms: makeSealedForms(deps.db, deps.secrets, deps.now) }
  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.setErrorHandler((error, request, reply) =>
      refuse(forms, request, reply, error, { fields: new Map() }),
    )
    scope.post<{ Body: FormFields | undefined }>('/ext_transfer', async (request, reply) => {
      const seen: Seen = { fields: request.body ?? new Map() }
      try {
        seen.fields = await withCarried(forms, seen.fields)
        return await reply.redirect(await startPayment(forms, seen, request), 303)
      } catch (error) {
        return refuse(forms, request, reply, forms.authenticator.refused(error, request), seen)
      }
    })
  })
}

/** The shop's form, carried by ours: beside it only the customer's own details count. */
async function withCarried(forms: Forms, sent: FormFields): Promise<FormFields> {
  const sealed = sent.get('sealed')
  if (sealed === undefined || sent.has('secret_key')) return sent
  const carried = await forms.sealedForms.open(sealed)
  if (!carried) throw new Refusal('form_refused', 'The form was open for too long')
  const signed = alsoSigned(carried)
  const corrected = ownFields.flatMap((name): [string, string][] => {
    const value = sent.get(name)
    return value === undefined || signed.includes(name) ? [] : [[name, value]]
  })
  return new Map([...carried, ...corrected])
}

/** The address of the checkout page. */
async function startPayment(forms: Forms, seen: Seen, request: FastifyRequest): Promise<string> {
  const { fields } = seen
  const caller = await forms.authenticator.formKey(fields.get('secret_key'), fields.get('public_key'))
  seen.caller = caller
  noteCaller(request, ownerOf(caller))
  refuseIfWaiting(forms.formLimit.take(`${caller.keyId} ${networkOf(request.ip)}`))
  await noteKeyInForm(forms, caller)
  checkSignature(openFormSecret(forms.secrets, caller), fields)
  const bodyText = formAsJson(fields, { withTitle: mayShowTitle(caller) })
  const networkTakes = await forms.networkTakes(caller.merchant.id, caller.mode)
  const payee = { ...caller, networkTakes, form: request.body }
  const payment = readPayment(JSON.parse(bodyText), payee, bodyText)
  try {
    return (await forms.createPayment(caller, payment, { type: 'Form' })).url
  } catch (error) {
    if (error instanceof Refusal && error.code === 'tx_ref_taken') {
      seen.before = await startedBefore(forms.findPayment, caller, payment, forms.baseUrl)
    }
    throw error
  }
}

async function refuse(
  forms: Forms,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  seen: Seen,
): Promise<FastifyReply> {
  const refusal = inFormWords(asRefusal(error, request))
  await reportRefusal(forms, request, error, refusal, seen)
  if (prefersJson(request.headers.accept)) {
    sendRefusal(reply, seen.caller?.kind === 'secret' ? refusal : withoutExisting(refusal))
    return reply
  }
  const shop = seen.caller && shopOfMerchant(forms.prefix, seen.caller.merchant)
  const setting = readSetting(forms, request, shop)
  const refused: RefusedForm = {
    refusal,
    before: seen.before,
    requestId: request.id,
    isTest: seen.caller?.mode === 'test',
    wayBack: wayBack(seen),
    correction: await correction(forms, refusal, seen),
  }
  const policy = { formAction: [new URL(forms.baseUrl).origin] }
  const headers = { ...refusal.headers, 'content-language': setting.language.code }
  return sendPage(reply, refusal.status, formRefusedPage(setting, refused), policy, headers)
}

/** Everybody who opens the shop's page has a form key, and must not learn about the payments of others with it. */
function withoutExisting(refusal: Refusal): Refusal {
  return refusal.existing ? new Refusal(refusal.code, refusal.message) : refusal
}

/** In the log, and in the list that a merchant can ask for. The page is shown also when the list can't be written. */
async function reportRefusal(
  { db }: Forms,
  { log, id }: FastifyRequest,
  error: unknown,
  refusal: Refusal,
  { caller, before, fields }: Seen,
): Promise<void> {
  const { code, message: rule } = refusal
  if (refusal.status >= 500)
    return log[code === 'unavailable' ? 'warn' : 'error']({ err: error, request_id: id }, rule)
  // Sent twice, or too often: nothing for the merchant to fix.
  if (before !== undefined || code === 'rate_limited') return
  const merchant = caller && { merchant_id: caller.merchant.id, mode: caller.mode }
  log.warn({ ...merchant, code, rule, request_id: id }, 'A form was refused')
  if (!caller) return
  const scope = { merchantId: caller.merchant.id, mode: caller.mode }
  await recordFormRefusal(db, scope, { refusal, txRef: fields.get('tx_ref'), requestId: id }).catch(
    (unwritten: unknown) => log.warn({ err: unwritten, request_id: id }, 'A refused form was not recorded'),
  )
}

/** What the customer can fix without the shop: mistakes only in their own details, which the shop didn't sign. */
async function correction(
  forms: Forms,
  refusal: Refusal,
  { caller, fields }: Seen,
): Promise<RefusedForm['correction']> {
  const wrong = Object.keys(refusal.code === 'validation_failed' ? (refusal.errors ?? {}) : {})
  const signed = alsoSigned(fields)
  const isCustomers = wrong.every((name) => isOfCustomer(name) && !signed.includes(name))
  if (!caller || wrong.length === 0 || !isCustomers) return undefined
  const sealed = await forms.sealedForms.seal(fields)
  if (sealed === undefined) return undefined
  return { sealed, typed: new Map(wrong.map((name) => [name, (fields.get(name) ?? '').trim()])) }
}

/** Only for a known merchant, and for a form key only to its own hosts: strangers must not put a link on our page. */
function wayBack({ caller, fields }: Seen): string | undefined {
  const returnUrl = fields.get('return_url')?.trim()
  if (!caller || !returnUrl || urlMistake(returnUrl) !== undefined) return undefined
  const url = new URL(returnUrl)
  return caller.bounds && !caller.bounds.hosts.includes(url.hostname) ? undefined : url.origin
}

/** Whether a client would rather have JSON than a page. A browser says text/html; saying nothing counts as a browser. */
function prefersJson(accept: string | undefined): boolean {
  return quality(accept, 'application/json') > quality(accept, 'text/html')
}

// A browser sends fewer than ten. A header of 14 KB took 90 ms.
const acceptedMax = 20

function quality(accept: string | undefined, type: string): number {
  for (const part of (accept ?? '').split(',', acceptedMax)) {
    const [name, ...parameters] = part
      .toLowerCase()
      .split(';', acceptedMax)
      .map((piece) => piece.trim())
    if (name !== type) continue
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const q = given === undefined ? 1 : Number(given.slice(2))
    return Number.isFinite(q) ? q : 0
  }
  return 0
}
