import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors/refusals.ts'
import type { FormWithFiles } from '../platform/http/form-body.ts'
import type { FormFields } from '../platform/input/form-fields.ts'
import { shortestIdle } from '../core/merchants/times/idle.ts'
import type { Mode } from '../core/merchants/mode.ts'
import { findOwn, hasNoFactor } from './people/find-person.ts'
import type { Visitor } from './people/people.ts'
import { hasRight } from './people/rights.ts'
import { endSession, isFresh, isOver, readSession, recordUse } from './people/sessions/sessions.ts'
import { needsNewPassword } from './people/sign-in.ts'
import { roleAt } from './people/team/team.ts'
import type { Answer, Ask, Dashboard, HalfAsk, SignedIn, Place, Route } from './ask.ts'
import { readNotice } from './notices.ts'
import { refuseForeignForm, tokenFor } from './own-form.ts'
import { siteOf } from './site.ts'

// Access control for every route, in this order: session, membership, right, CSRF token, recent proof of identity. The route
// runs only after all checks pass.

type Admitted = {
  readonly ask: Ask
  readonly half: HalfAsk['half'] | undefined
  readonly newVisit: string | undefined
}

export async function openAsk(dashboard: Dashboard, request: FastifyRequest): Promise<Admitted> {
  const { core, people, cookies, baseUrl } = dashboard
  const cookie = cookies.read(request, 'session')
  const visitor: Visitor = {
    device: request.headers['user-agent'] ?? '',
    address: request.ip,
    requestId: request.id,
    knownBy: cookies.read(request, 'device'),
  }
  const session = await readSession(core.db, cookie, core.now())
  const current = session && cookie !== undefined ? { session, cookie } : undefined
  const half = current?.session.state === 'half' ? current : undefined
  const own = current?.session.state === 'whole' ? await readOwn(dashboard, current) : undefined
  if (current && (own || half) && !isRefresh(request))
    await recordUse(core.db, current, core.now(), request.ip)
  const visit = cookies.read(request, 'visit')
  const newVisit = own || half || visit !== undefined ? undefined : randomBytes(32).toString('base64url')
  const ask: Ask = {
    dashboard,
    core,
    people,
    request,
    ...sentOf(request.body),
    params: request.params as Record<string, string>,
    query: readQuery(request.query),
    visitor,
    token: tokenFor((own ? cookie : half?.cookie) ?? visit ?? newVisit ?? ''),
    here: dashboard.prefix + request.url,
    notice: readNotice(cookies.read(request, 'notice')),
    site: siteOf(baseUrl, request),
    own,
  }
  return { ask, half, newVisit }
}

/** Routes with uploads have a different kind of body. */
function sentOf(body: unknown): Pick<Ask, 'fields' | 'files'> {
  if (body instanceof Map) return { fields: body as FormFields, files: new Map() }
  const { fields = new Map(), files = new Map() } = (body ?? {}) as Partial<FormWithFiles>
  return { fields, files }
}

/** A page's script asking for news: it would keep the session of an unattended browser alive. */
function isRefresh({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['sec-fetch-dest'] === 'empty'
}

/** Undefined, too, when one of the person's shops allows less time without use. */
async function readOwn(
  { core, people, findMerchant }: Dashboard,
  current: Pick<SignedIn, 'session' | 'cookie'>,
): Promise<SignedIn | undefined> {
  const found = await findOwn(people, current.session.personId)
  if (!found) return undefined
  const shops = await Promise.all(found.merchants.map(async (id) => findMerchant(id)))
  const merchants = shops.filter((one) => one !== undefined)
  const idleMinutes = shortestIdle(merchants)
  if (isOver(current.session, core.now(), idleMinutes)) {
    await endSession(core.db, current.cookie)
    return undefined
  }
  return { ...current, person: found.person, merchants, idleMinutes }
}

/** Runs the route, or answers with a redirect or refusal if a check fails. */
export async function runRoute(
  route: Route,
  admitted: Admitted,
): Promise<{ readonly answer: Answer; readonly place?: Place }> {
  const { ask } = admitted
  if (route.access !== 'member') return { answer: await runPlaceless(route, admitted) }
  if (!ask.own) return { answer: askToSignIn(ask) }
  const place = await findPlace(ask, ask.own)
  if (!hasRight(place.role, route.right)) throw new Refusal('not_allowed')
  return { answer: (await check(route, ask)) ?? (await route.run({ ...ask, own: ask.own, place })), place }
}

async function runPlaceless(
  route: Exclude<Route, { access: 'member' }>,
  { ask, half }: Admitted,
): Promise<Answer> {
  if (route.access === 'anyone') return (await check(route, ask)) ?? route.run(ask)
  if (route.access === 'half')
    return half ? ((await check(route, ask)) ?? route.run({ ...ask, half })) : askToSignIn(ask)
  const { own } = ask
  if (!own) return askToSignIn(ask)
  // Everyone else gets a 404.
  if (route.access === 'operator' && !own.person.isOperator) throw new Refusal('not_found')
  return (await check(route, ask)) ?? route.run({ ...ask, own })
}

/** Checks the CSRF token, the password and the recent proof; returns a redirect if one of the last two is too old. */
async function check(route: Route, ask: Ask): Promise<Answer | undefined> {
  if (route.method === 'POST')
    refuseForeignForm(ask.request, ask.dashboard.baseUrl, ask.token, ask.fields.get('token'))
  const password = await askForPassword(route, ask)
  if (password) return password
  const proof = route.isFresh ? askForProof(ask) : undefined
  const { own, people } = ask
  const isFirst = proof && own && route.setsFirstFactor && (await hasNoFactor(people, own.person))
  return isFirst ? undefined : proof
}

/** 404 for merchants the person doesn't belong to. */
async function findPlace({ core, dashboard, params }: Ask, own: SignedIn): Promise<Place> {
  const { merchant: number = '', mode: given } = params
  const mode = modes.find((one) => one === given)
  if (!/^\d{8}$/.test(number) || mode === undefined) throw new Refusal('not_found')
  const role = await roleAt(core.db, Number(number), own.person.id)
  const merchant = role && (await dashboard.findMerchant(Number(number)))
  if (!merchant) throw new Refusal('not_found')
  return { merchant, mode, role, home: `${dashboard.prefix}/dashboard/${number}/${mode}` }
}

const modes: readonly Mode[] = ['test', 'live']

function askToSignIn({ dashboard, request, here }: Ask): Answer {
  const next = request.method === 'GET' ? `?next=${encodeURIComponent(here)}` : ''
  return { kind: 'go', to: `${dashboard.prefix}/dashboard/sign-in${next}` }
}

/** The ways on for a session that needs a new password, or a second factor instead. */
const openEarly = /^\/(?:new-password|prove|sign-out|account\/(?:codes|passkeys))(?:\/|$)/

async function askForPassword(route: Route, ask: Ask): Promise<Answer | undefined> {
  const { own, people } = ask
  if (!own || route.access === 'anyone' || openEarly.test(route.path)) return undefined
  return (await needsNewPassword(people, own.session, own.person)) ? goFirst(ask, 'new-password') : undefined
}

function askForProof(ask: Ask): Answer | undefined {
  return !ask.own || isFresh(ask.own.session, ask.core.now()) ? undefined : goFirst(ask, 'prove')
}

/** A POST isn't repeated afterwards: the person sees its page again. */
function goFirst({ dashboard, request, here }: Ask, page: 'new-password' | 'prove'): Answer {
  const back = request.method === 'GET' ? here : pageOf(here)
  return { kind: 'go', to: `${dashboard.prefix}/dashboard/${page}?next=${encodeURIComponent(back)}` }
}

/** The page of a form: forms post to their page, or to /do/… below it. */
function pageOf(path: string): string {
  return path.replace(/\/do\/[^/]*$/, '')
}

/** Parameters given more than once are dropped: no link of ours repeats one. */
function readQuery(query: unknown): Record<string, string> {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
