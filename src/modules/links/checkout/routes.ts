import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { asRefusal } from '../../../platform/http/error-handler.ts'
import { addFormBodies } from '../../../platform/http/form-body.ts'
import { sendPage, type Page } from '../../../platform/http/page.ts'
import {
  limitMisses,
  makeRateLimit,
  refuseIfWaiting,
  type RateLimit,
} from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import { linkUrl, readLinkCode } from '../address.ts'
import { drawTxRef } from '../create-link.ts'
import { findLinkAt, readLinkPayments, type LinkRow } from '../find-links.ts'
import { linkState } from '../link-state.ts'
import type { Linking } from '../linking.ts'
import { hasOldPayments } from '../make-room.ts'
import { checkPayment, startPayment, type Started } from '../start-payment.ts'
import type { FindMerchant, Merchant } from '../../../core/merchants/authenticate.ts'
import { takesCurrency } from '../../../core/merchants/taken-currencies.ts'
import { readTypedAmount } from '../../../platform/money/typed-amount.ts'
import { networkTakes } from '../../../core/payments/attempts/hosted/network-takes.ts'
import type { CheckoutDeps } from '../../../core/checkout/checkout.ts'
import { withoutStrayEnd } from '../../../core/checkout/addresses/stray-end.ts'
import { readOwnForm, formFields } from '../../../core/checkout/own-form.ts'
import { embeddingOf, withoutDocument } from '../../../core/checkout/embed/embedding.ts'
import { makeKnownShops, shopOfMerchant, type KnownShops } from '../../../core/checkout/logo/known-shops.ts'
import { errorPage, type ErrorKind } from '../../../core/checkout/parts/error-page.ts'
import { readSetting } from '../../../core/checkout/read-setting.ts'
import { makeSign, type Sign } from '../../../core/checkout/token.ts'
import {
  closedPage,
  formNames,
  linkAddress,
  linkPage,
  type Closed,
  type LinkForm,
  type LinkSetting,
} from './page.ts'

// Links that merchants made by hand, as customers open them. No cookie is read or set. A good form leads to the checkout
// of a new payment; the page is drawn with the tx_ref of that payment in it, so that a form sent twice leads to it once.

export type LinkRoutes = Pick<
  CheckoutDeps,
  'db' | 'secrets' | 'baseUrl' | 'styleFile' | 'missLimit' | 'now'
> & {
  readonly linking: Linking
  readonly findMerchant: FindMerchant
  /** Per link and client address, as for forms on a shop's own page. */
  readonly formLimit: RateLimit
}

type Links = LinkRoutes & {
  readonly prefix: string
  readonly sign: Sign
  readonly knownShops: KnownShops
  readonly startLimit: RateLimit
}

type LinkRequest = FastifyRequest<{ Params: { code: string } }>
type Opened = LinkSetting & { readonly merchant: Merchant }

// Payments of one link per client address, or per /64 of IPv6. A market stall may have one address for all its
// customers; an attacker who wants to hold all places of a link has few.
const starts = { perSecond: 120 / 3_600, burst: 60 }

export function addLinks(server: Server, deps: LinkRoutes): void {
  const links: Links = {
    ...deps,
    prefix: new URL(deps.baseUrl).pathname.replace(/\/+$/, ''),
    sign: makeSign(deps.db, deps.secrets),
    knownShops: makeKnownShops(),
    startLimit: makeRateLimit(starts, () => deps.now().getTime()),
  }
  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.addHook('onRequest', (request, reply, done) => {
      const address = request.method === 'GET' ? withoutStrayEnd(request.url) : undefined
      if (address === undefined) done()
      else reply.redirect(links.prefix + address, 302)
    })
    scope.setErrorHandler((error, request, reply) => sendError(links, error, request, reply))
    scope.get('/link/:code', async (request: LinkRequest, reply) => showLink(links, request, reply))
    scope.post('/link/:code', async (request: LinkRequest, reply) => takeForm(links, request, reply))
    scope.get('/link/:code/qr.svg', async (request: LinkRequest, reply) => {
      const { link } = await openLink(links, request)
      return reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('image/svg+xml')
        .send(renderSVG(linkUrl(link, links.baseUrl), { ecc: 'M', border: 4 }))
    })
    scope.get('/link/*', async (request) => refuseMiss(links, request))
  })
}

async function refuseMiss(links: Links, request: FastifyRequest): Promise<never> {
  return limitMisses(links.missLimit, networkOf(request.ip), async () => {
    throw new Refusal('not_found', 'Link not found')
  })
}

async function openLink(links: Links, request: LinkRequest): Promise<Opened> {
  const key = readLinkCode(request.params.code)
  const link = key && (await findLinkAt(links.linking, key))
  const merchant = link && (await links.findMerchant(link.merchant_id))
  if (!merchant) return refuseMiss(links, request)
  const shop = shopOfMerchant(links.prefix, merchant)
  links.knownShops.note(request, shop)
  const { origins } = embeddingOf(shop.brand)
  const embed = origins.length > 0 && { embed: { origins, screen: 'link' } }
  return { ...readSetting(links, request, shop), ...embed, link, merchant, shop }
}

async function showLink(links: Links, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await openLink(links, request)
  const open = await ownPayment(links, opened.link)
  if (open !== undefined) return withoutDocument(reply).redirect(paymentAddress(opened, open), 302)
  const closed = await whyClosed(links, opened)
  if (closed) return send(reply, 200, opened, closedPage(opened, closed))
  return send(reply, 200, opened, linkPage(opened, await newForm(links, opened.link)))
}

/**
 * For a link to one customer whose payment was created or begun: everyone who opens it continues there. Undefined if it
 * hasn't begun, or ended unpaid.
 */
async function ownPayment(links: Links, link: LinkRow): Promise<string | undefined> {
  // No test: saves a query: such a link has no pending payment
  const isBegun = link.kind === 'single' && link.taken > link.paid
  if (link.asks_customer && !isBegun) return undefined
  const [payment] = (await readLinkPayments(links.linking, link, {})).payments
  if (!link.asks_customer && !payment) throw new Refusal('not_found', 'Link not found')
  return !link.asks_customer || payment?.state === 'pending' ? payment?.number : undefined
}

async function whyClosed(links: Links, { link, merchant }: Opened): Promise<Closed | undefined> {
  if (link.mode === 'live' && !merchant.liveEnabled) return 'unavailable'
  // Switched off since the link was made, or its network is gone.
  const { paying } = links.linking
  const takes = await networkTakes(paying, merchant.id, link.mode)
  if (!takesCurrency({ merchant, mode: link.mode, networkTakes: takes }, link.currency)) return 'unavailable'
  const state = linkState(link, links.now())
  if (state === 'open') return undefined
  if (state === 'all_taken' && (await hasOldPayments(links.linking, link))) return undefined
  return state
}

async function newForm(links: Links, link: LinkRow, given: Partial<LinkForm> = {}): Promise<LinkForm> {
  const txRef = drawTxRef()
  return { txRef, token: await tokenOf(links, link, txRef), typed: new Map(), errors: undefined, ...given }
}

/** Only a page of this link has it, so a tx_ref is always one that we drew. */
async function tokenOf({ sign }: Links, link: LinkRow, txRef: string): Promise<string> {
  return sign(`link ${link.merchant_id} ${link.id} ${txRef}`)
}

async function takeForm(links: Links, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await openLink(links, request)
  const { link } = opened
  const from = `${link.merchant_id} ${link.id} ${networkOf(request.ip)}`
  refuseIfWaiting(links.formLimit.take(from))
  const txRef = formFields(request).get('ref') ?? ''
  const form = readOwnForm(request, await tokenOf(links, link, txRef), links.baseUrl)
  const closed = await whyClosed(links, opened)
  if (closed) return send(reply, 409, opened, closedPage(opened, closed))
  const typed = new Map(formNames.map((name) => [name, (form.get(name) ?? '').trim()]))
  try {
    const started = await start(links, opened, txRef, typed, from)
    if (started.kind === 'closed') return await send(reply, 409, opened, closedPage(opened, started.state))
    const to = started.kind === 'used' ? linkAddress(opened) : paymentAddress(opened, started.number)
    return await withoutDocument(reply).redirect(to, 303)
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'validation_failed')) throw error
    const token = await tokenOf(links, link, txRef)
    return send(reply, 400, opened, linkPage(opened, { txRef, token, typed, errors: error.errors }))
  }
}

async function start(
  links: Links,
  { link, merchant }: Opened,
  txRef: string,
  typed: ReadonlyMap<string, string>,
  from: string,
): Promise<Started> {
  const amount = readTypedAmount(typed.get('amount') ?? '', link.currency)
  const asked = {
    txRef,
    email: typed.get('email') ?? '',
    firstName: typed.get('first_name') ?? '',
    lastName: typed.get('last_name') ?? '',
    amountMinor: amount.ok ? amount.minor : undefined,
  }
  const place = { merchant, mode: link.mode }
  checkPayment(place, link, asked)
  // Mistakes are free: only payments are limited.
  refuseIfWaiting(links.startLimit.take(from))
  return startPayment(links.linking, place, link, asked)
}

function paymentAddress({ prefix, link, isChosen, language }: Opened, number: string): string {
  return `${prefix}/payment/${link.merchant_id}${number}${isChosen ? `?lang=${language.code}` : ''}`
}

function send(reply: FastifyReply, status: number, { language, shop }: Opened, page: Page): FastifyReply {
  const { policy, headers } = embeddingOf(shop.brand)
  return sendPage(reply, status, page, policy, { ...headers, 'content-language': language.code })
}

async function sendError(
  links: Links,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = asRefusal(error, request)
  if (refusal.status >= 500)
    request.log[refusal.code === 'unavailable' ? 'warn' : 'error'](
      { err: error, request_id: request.id },
      refusal.message,
    )
  const shop = await links.knownShops.of(request)
  const setting = readSetting(links, request, shop)
  const headers = { ...refusal.headers, 'content-language': setting.language.code }
  // No money moves here, so nothing that breaks leaves a doubt about it.
  return sendPage(reply, refusal.status, errorPage(setting, kindOf(refusal)), {}, headers)
}

function kindOf(refusal: Refusal): ErrorKind {
  if (refusal.code === 'not_found') return 'notFound'
  if (refusal.code === 'rate_limited') return 'tooMany'
  return refusal.status < 500 ? 'strange' : 'broken'
}
