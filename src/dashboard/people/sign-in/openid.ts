import { Refusal } from '../../../platform/errors/refusals.ts'
import { comeBack, providerOf, setOut, type Flow } from '../openid/flows.ts'
import {
  isProvedByOpenId,
  joinWithOpenId,
  linkedIdentity,
  linkOpenId,
  nameInvitation,
  signInWithOpenId,
  unlinkOpenId,
} from '../openid/identities.ts'
import { ProviderAway, ProviderRefused, type Claims } from '../openid/provider.ts'
import { readInvitation } from '../team/join-team.ts'
import type { Answer, Ask, Content, PersonAsk, Route } from '../../ask.ts'
import { forAnyone, forPerson, go, orShowMistakes, describeWait, show, showWait } from '../../define-route.ts'
import { readNext } from '../../next-path.ts'
import { messagePage } from './entry-page.ts'
import { goingPage, openIdPage } from './openid-page.ts'
import type { Mistakes } from '../../parts/parts.ts'
import { goOn } from './proving.ts'
import { welcome } from './handlers.ts'

// Signing in with OpenID. It starts with a form; the callback is the only GET that changes something, and `state` is its CSRF
// token.

type Start = { readonly purpose: Flow['purpose']; readonly about: string; readonly next?: string | undefined }

async function setOutFrom(ask: Ask, start: Start): Promise<Answer> {
  const { name } = providerOf(ask.people)
  try {
    const departure = await setOut(ask.people, start, ask.visitor)
    if (departure.kind === 'wait')
      return showWait(failed(ask, describeWait(departure.seconds)['form'] ?? ''), departure.seconds)
    const flow = `${departure.secret}.${Buffer.from(start.next ?? '').toString('base64url')}`
    const headers = { refresh: `0; url=${departure.url}` }
    return { kind: 'page', content: goingPage(name, departure.url), headers, flow }
  } catch (error) {
    return troubleWith(ask, error)
  }
}

function failed(ask: Ask, sentence: string): Content {
  const link = ask.own
    ? { to: '/dashboard/account', label: 'Your account' }
    : { to: '/dashboard/sign-in', label: 'Sign in' }
  return messagePage(ask, 'That didn’t work', sentence, link)
}

/** Details of a provider's failure go to the log, for the operator. */
function troubleWith(ask: Ask, error: unknown): Answer {
  if (!(error instanceof ProviderAway) && !(error instanceof ProviderRefused)) throw error
  const { name, issuer } = providerOf(ask.people)
  const facts = { issuer, reason: error.message, request_id: ask.request.id }
  ask.core.log.warn(facts, 'Signing in with the OpenID provider did not work')
  const isAway = error instanceof ProviderAway
  const sentence = isAway
    ? `${name} isn’t responding. Try again in a moment, or sign in another way.`
    : `We couldn’t verify the answer from ${name}. Nothing was changed. If this keeps happening, give the operator of this Florin this ID: ${ask.request.id}`
  return { ...show(failed(ask, sentence), isAway ? 503 : 403), flow: null }
}

const nextOf = (ask: Ask): string | undefined => readNext(ask.fields.get('next'), ask.dashboard.prefix)

async function drawOpenId(ask: PersonAsk, mistakes: Mistakes = {}): Promise<Content> {
  const linked = await linkedIdentity(ask.people, ask.own.person.id)
  return openIdPage(ask, providerOf(ask.people).name, linked, mistakes)
}

const fresh = { isFresh: true }

export const openIdRoutes: readonly Route[] = [
  forAnyone('POST', '/sign-in/openid', async (ask) =>
    setOutFrom(ask, { purpose: 'sign_in', about: '', next: nextOf(ask) }),
  ),
  forAnyone('POST', '/join/:merchant/:secret/do/openid', async (ask) => {
    const { merchant = '', secret = '' } = ask.params
    const invitation = /^\d{8}$/.test(merchant)
      ? await readInvitation(ask.people, Number(merchant), secret)
      : undefined
    if (!invitation) throw new Refusal('not_found')
    return setOutFrom(ask, { purpose: 'join', about: nameInvitation(Number(merchant), secret) })
  }),
  forPerson('POST', '/prove/openid', async (ask) =>
    setOutFrom(ask, { purpose: 'prove', about: ask.own.person.id, next: nextOf(ask) }),
  ),
  forPerson('GET', '/account/openid', async (ask) => show(await drawOpenId(ask)), fresh),
  forPerson(
    'POST',
    '/account/openid',
    async (ask) => setOutFrom(ask, { purpose: 'link', about: ask.own.person.id }),
    fresh,
  ),
  forPerson(
    'POST',
    '/account/openid/do/remove',
    (ask) =>
      orShowMistakes(
        async () => {
          await unlinkOpenId(ask.people, ask.own.person, ask.visitor)
          return { ...go(`${ask.dashboard.prefix}/dashboard/account`), notice: 'openid_unlinked' }
        },
        (mistakes) => drawOpenId(ask, mistakes),
      ),
    fresh,
  ),
  forAnyone('GET', '/openid/callback', async (ask) => {
    const { people, dashboard, request, query } = ask
    const provider = providerOf(people)
    const [secret, path = ''] = dashboard.cookies.read(request, 'flow')?.split('.') ?? []
    const flow = await comeBack(people, secret, query['state'])
    if (!flow)
      return show(failed(ask, 'This sign-in took too long, or started in another browser. Start again.'), 400)
    if (query['error'] !== undefined)
      return {
        ...show(failed(ask, `${provider.name} refused the sign-in. Nothing was changed.`), 403),
        flow: null,
      }
    const next = readNext(Buffer.from(path, 'base64url').toString(), dashboard.prefix)
    try {
      const claims = await provider.redeem(flow.secrets, new URL(request.url, 'http://florin.invalid').search)
      const answer = await orShowMistakes(
        () => arrive(ask, flow, claims, next),
        (mistakes) => failed(ask, Object.values(mistakes)[0] ?? ''),
      )
      return { ...answer, flow: null }
    } catch (error) {
      return troubleWith(ask, error)
    }
  }),
]

async function arrive(ask: Ask, flow: Flow, claims: Claims, next: string | undefined): Promise<Answer> {
  if (flow.purpose === 'sign_in') return arriveAnew(ask, claims, next)
  if (flow.purpose === 'join') return arriveInvited(ask, flow, claims)
  const { people, own, dashboard } = ask
  // Signed out since, or signed in as someone else.
  if (!own || own.person.id !== flow.about) return go(`${dashboard.prefix}/dashboard/sign-in`)
  if (flow.purpose === 'link') {
    await linkOpenId(people, own.person.id, claims, ask.visitor)
    return { ...go(`${dashboard.prefix}/dashboard/account`), notice: 'openid_linked' }
  }
  if (await isProvedByOpenId(people, own.person.id, flow, claims))
    return goOn({ ...ask, own }, next ?? `${dashboard.prefix}/dashboard`)
  const { name } = providerOf(people)
  const sentence = `${name} returned a different account, or did not confirm a recent sign-in. Use your password or a passkey.`
  return show(failed(ask, sentence), 401)
}

async function arriveAnew(ask: Ask, claims: Claims, next: string | undefined): Promise<Answer> {
  const result = await signInWithOpenId(ask.people, claims, ask.visitor)
  if (result.kind === 'in') return welcome(ask, result, next)
  if (result.kind === 'second_factor') {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
    return { ...go(`${ask.dashboard.prefix}/dashboard/second-factor${query}`), session: result.fresh }
  }
  const sentence = `No Florin account is connected to your account at ${providerOf(ask.people).name}. If you were invited, open the link in that e-mail. If you have a password here, sign in with it and connect the two in your account.`
  return show(failed(ask, sentence), 403)
}

async function arriveInvited(ask: Ask, flow: Flow, claims: Claims): Promise<Answer> {
  const joined = await joinWithOpenId(ask.people, flow.about, claims, ask.visitor)
  if (!joined)
    return show(
      failed(ask, 'The invitation was already used, withdrawn, or has expired. Ask for a new one.'),
      404,
    )
  const to = `${ask.dashboard.prefix}/dashboard/${joined.merchantId}/test`
  return { ...welcome(ask, joined.result, to), notice: 'joined' }
}
