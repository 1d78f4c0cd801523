import { csvStyleOf } from '../core/merchants/brand/csv-style.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRefusal } from '../platform/http/error-handler.ts'
import { addFileForms, addFormBodies } from '../platform/http/form-body.ts'
import { sendPage } from '../platform/http/page.ts'
import { makeRateLimit } from '../platform/http/rate-limit.ts'
import type { PagePolicy } from '../platform/http/security.ts'
import { jsonType } from '../platform/http/envelope.ts'
import { compressible, sendCompressed, sendText } from '../platform/http/send-text.ts'
import type { Server } from '../platform/http/server.ts'
import { Refusal, type RefusalCode } from '../platform/errors/refusals.ts'
import type { Answer, Ask, Content, Dashboard, NavRoute, Place, Rooms, Route } from './ask.ts'
import { script } from './assets/assets.ts'
import { makeCookies } from './cookies.ts'
import { openAsk, runRoute } from './guard.ts'
import { needsHttpsPage } from './people/sign-in/needs-https-page.ts'
import { isPrivateWay } from './private-way.ts'
import { messagePage } from './people/sign-in/entry-page.ts'
import { frame } from './parts/frame.ts'

// Registers every route of the table behind the same access checks.

export type DashboardOptions = Rooms &
  Pick<Dashboard, 'baseUrl' | 'hasMailServer' | 'version' | 'requestLogDays'> & {
    readonly routes: readonly Route[]
  }

const passkeysPerOrigin = { perSecond: 0.5, burst: 30 }

export function addDashboard(server: Server, options: DashboardOptions): void {
  const { baseUrl, routes } = options
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const cookies = makeCookies(baseUrl)
  const passkeyLimit = makeRateLimit(passkeysPerOrigin, () => options.core.now().getTime())
  const dashboard: Dashboard = { ...options, prefix, cookies, passkeyLimit, nav: navOf(routes) }
  void server.register(async (scope) => {
    addFormBodies(scope)
    scope.setErrorHandler(async (error, request, reply) => sendError(dashboard, error, request, reply))
    scope.get(script.path, (_, reply) =>
      sendCompressed(reply, {
        type: 'text/javascript; charset=utf-8',
        body: script.text,
        headers: { ...compressible, 'cache-control': 'public, max-age=31536000, immutable' },
      }),
    )
    for (const route of routes.filter(({ takesFiles }) => takesFiles === undefined))
      addRoute(scope, dashboard, route)
    void scope.register(async (within) => {
      addFileForms(within)
      for (const route of routes.filter(({ takesFiles }) => takesFiles !== undefined))
        addRoute(within, dashboard, route)
    })
  })
}

/** Bodies are read before anybody knows who sent them: larger ones are taken a few at a time. */
const largeBodyBytes = 1024 * 1024
const largeBodiesMax = 4
let largeBodies = 0

export function takeLargeBody(
  _: FastifyRequest,
  reply: Pick<FastifyReply, 'raw'>,
  done: (error?: Error) => void,
): void {
  if (largeBodies >= largeBodiesMax)
    return done(
      new Refusal('rate_limited', 'Other files are being uploaded. Try again in a moment', {
        headers: { 'retry-after': '5' },
      }),
    )
  largeBodies += 1
  reply.raw.once('close', () => {
    largeBodies -= 1
  })
  done()
}

function addRoute(scope: FastifyInstance, dashboard: Dashboard, route: Route): void {
  scope.route({
    method: route.method,
    url: `/dashboard${route.path}`,
    ...(route.takesFiles !== undefined && { bodyLimit: route.takesFiles }),
    ...((route.takesFiles ?? 0) > largeBodyBytes && { onRequest: takeLargeBody }),
    handler: async (request, reply) => answer(dashboard, route, request, reply),
  })
}

async function answer(
  dashboard: Dashboard,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isPrivateWay(dashboard.baseUrl, request)) {
    const ask = strangerAsk(dashboard, request)
    return sendContent(reply, ask, needsHttpsPage(ask), undefined, 403)
  }
  const admitted = await openAsk(dashboard, request)
  const { answer: result, place } = await runRoute(route, admitted)
  const { cookies } = dashboard
  const set = cookiesOf(dashboard, admitted.ask, result)
  if (admitted.newVisit !== undefined) set.push(cookies.write('visit', admitted.newVisit))
  if (set.length > 0) void reply.header('set-cookie', set)
  return send(reply, admitted.ask, result, place)
}

function cookiesOf({ cookies }: Dashboard, ask: Ask, result: Answer): string[] {
  const notice = result.kind === 'go' ? result.notice : undefined
  return [
    ...(result.session === null ? [cookies.clear('session')] : []),
    ...(result.session ? [cookies.write('session', result.session.cookie)] : []),
    ...(result.knownBy === undefined ? [] : [cookies.write('device', result.knownBy)]),
    ...(result.flow === null ? [cookies.clear('flow')] : []),
    ...(result.flow ? [cookies.write('flow', result.flow)] : []),
    ...(result.hidesStart === undefined ? [] : [cookies.write('start', result.hidesStart)]),
    ...(notice === undefined ? [] : [cookies.write('notice', notice)]),
    // Show it once.
    ...(result.kind === 'page' && ask.notice !== undefined ? [cookies.clear('notice')] : []),
  ]
}

const plainText = 'text/plain; charset=utf-8'

/** With no-referrer, browsers would send "null" as the Origin of forms. */
const pageHeaders = { ...compressible, 'referrer-policy': 'same-origin' }

function navOf(routes: readonly Route[]): readonly NavRoute[] {
  return routes
    .filter((route): route is NavRoute => route.access === 'member' && route.nav !== undefined)
    .toSorted((one, other) => one.nav.order - other.nav.order)
}

async function send(
  reply: FastifyReply,
  ask: Ask,
  result: Answer,
  place: Place | undefined,
): Promise<FastifyReply> {
  if (result.kind === 'page')
    return sendContent(reply, ask, result.content, place, result.status ?? 200, result.headers, result.policy)
  if (result.kind === 'go')
    return sendText(reply, { status: 303, type: plainText, body: '', headers: { location: result.to } })
  if (result.kind === 'csv')
    return ask.dashboard.sendCsv(reply, place?.merchant.id ?? 0, {
      ...(place && { style: csvStyleOf(place.merchant.brand) }),
      ...result.csv,
    })
  if (result.kind === 'framed') return sendPage(reply, 200, result.page, inert, inOwnFrame)
  if (result.kind === 'framed_text') {
    const { type, body } = result
    const headers = { ...inOwnFrame, 'content-security-policy': policyOf(type) }
    return sendText(reply, { type, body, headers })
  }
  return sendText(reply, { type: jsonType, body: JSON.stringify(result.body) })
}

const inert: PagePolicy = { isInert: true, frameAncestors: ["'self'"] }
/** Only our own pages can frame it; for older browsers. */
const inOwnFrame = { 'x-frame-options': 'SAMEORIGIN' }

/** E-mails have inline styles. The browser's PDF viewer doesn't work in a sandbox. */
function policyOf(type: string): string {
  if (type === 'application/pdf') return "frame-ancestors 'self'"
  return "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox"
}

function sendContent(
  reply: FastifyReply,
  ask: Ask,
  content: Content,
  place: Place | undefined,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  policy: PagePolicy = {},
): FastifyReply {
  const framing = content.hasFrame === true ? { ...policy, frames: ["'self'"] } : policy
  return sendPage(reply, status, frame(ask, content, place, ask.dashboard.nav), framing, {
    ...pageHeaders,
    ...headers,
  })
}

async function sendError(
  dashboard: Dashboard,
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
  const ask = strangerAsk(dashboard, request)
  const [title, sentence] = errorWords(refusal, request)
  return sendContent(
    reply,
    ask,
    messagePage(ask, title, sentence),
    undefined,
    refusal.status,
    refusal.headers,
  )
}

/** An error page doesn't use the database: that may be what is broken. */
function strangerAsk(dashboard: Dashboard, request: FastifyRequest): Ask {
  return {
    dashboard,
    core: dashboard.core,
    people: dashboard.people,
    request,
    fields: new Map(),
    files: new Map(),
    params: {},
    query: {},
    visitor: { device: '', address: request.ip, requestId: request.id, knownBy: undefined },
    token: '',
    here: '',
    notice: undefined,
    site: undefined,
    own: undefined,
  }
}

function errorWords(refusal: Refusal, { id, method }: FastifyRequest): readonly [string, string] {
  const known = texts[refusal.code]
  if (known) return known
  if (refusal.status < 500) return ['That didn’t work', refusal.message]
  const advice =
    method === 'POST'
      ? 'Your change may have been saved, so check before you try again'
      : 'Try again in a moment'
  return [
    'Something went wrong',
    `${advice}. If it keeps happening, give the operator of this Florin this ID: ${id}`,
  ]
}

const texts: Partial<Record<RefusalCode, readonly [string, string]>> = {
  not_found: ['Not found', 'This page doesn’t exist, or you don’t have access to it.'],
  not_allowed: ['Not allowed', 'Your role doesn’t allow this. A team owner can change it.'],
  form_refused: [
    'Please try again',
    'The form was open too long, or came from another site. Nothing was changed. Go back, reload the page and try again.',
  ],
}
