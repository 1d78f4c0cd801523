import { showSecondFactor } from '../factors/second-factor.ts'
import { authenticationOptions, signInWithPasskey } from '../factors/passkeys.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { signOut } from '../change-account.ts'
import { proofTask, signIn, type SignedIn } from '../sign-in.ts'
import { signUpState } from '../sign-up.ts'
import { originOf } from '../waits.ts'
import { refuseIfWaiting } from '../../../platform/http/rate-limit.ts'
import type { Answer, Ask, Content, Route } from '../../ask.ts'
import {
  forAnyone,
  forHalf,
  forPerson,
  go,
  describeWait,
  show,
  showLater,
  showWait,
} from '../../define-route.ts'
import { readNext } from '../../next-path.ts'
import type { Mistakes } from '../../parts/parts.ts'
import { secondFactorPage, signInPage } from './entry-page.ts'

// Signing in and out.

const busy: Mistakes = {
  form: 'Too many people are signing in right now. Your password was not checked. Try again in a moment.',
}
const wrong: Mistakes = { form: 'Wrong e-mail address or password.' }

/** After signing in: a new session, and the page the person wanted. */
export function welcome(ask: Ask, result: SignedIn, next?: string): Extract<Answer, { kind: 'go' }> {
  const to = next ?? `${ask.dashboard.prefix}/dashboard`
  return { ...go(to), session: result.fresh, knownBy: result.knownBy }
}

function nextOf(ask: Ask): string | undefined {
  const given = ask.request.method === 'GET' ? ask.query['next'] : ask.fields.get('next')
  return readNext(given, ask.dashboard.prefix)
}

async function drawSignIn(ask: Ask, mistakes: Mistakes = {}): Promise<Content> {
  const state = await signUpState(ask.people)
  const typed = { email: ask.fields.get('email') }
  return signInPage(ask, { next: nextOf(ask), typed, mistakes, isSignUpOpen: state !== 'closed' })
}

export const signInRoutes: readonly Route[] = [
  forAnyone('GET', '/sign-in', async (ask) => {
    if (ask.own) return go(nextOf(ask) ?? `${ask.dashboard.prefix}/dashboard`)
    // There are no accounts yet.
    if ((await signUpState(ask.people)) === 'first') return go(`${ask.dashboard.prefix}/dashboard/sign-up`)
    return show(await drawSignIn(ask))
  }),
  forAnyone('POST', '/sign-in', async (ask) => {
    const read = (name: string): string => ask.fields.get(name) ?? ''
    const proof = { task: read('task'), nonce: read('nonce') }
    const given = { email: read('email'), password: read('password'), proof }
    const result = await signIn(ask.people, given, ask.visitor)
    if (result.kind === 'busy') return showLater(await drawSignIn(ask, busy))
    if (result.kind === 'wait')
      return showWait(await drawSignIn(ask, describeWait(result.seconds)), result.seconds)
    if (result.kind === 'refused') return show(await drawSignIn(ask, wrong), 401)
    const next = nextOf(ask)
    if (result.kind === 'in') return welcome(ask, result, next)
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
    return { ...go(`${ask.dashboard.prefix}/dashboard/second-factor${query}`), session: result.fresh }
  }),
  forAnyone('POST', '/sign-in/proof', async (ask) => ({
    kind: 'json',
    body: (await proofTask(ask.people, ask.visitor)) ?? {},
  })),
  forAnyone('POST', '/sign-in/passkey-options', async (ask) => {
    if (!ask.site) throw new Refusal('not_found')
    refuseIfWaiting(ask.dashboard.passkeyLimit.take((await originOf(ask.core.db, ask.visitor)).name))
    return { kind: 'json', body: await authenticationOptions(ask.people, ask.site) }
  }),
  forAnyone('POST', '/sign-in/passkey', async (ask) => {
    if (!ask.site) throw new Refusal('not_found')
    const result = await signInWithPasskey(ask.people, ask.site, ask.fields.get('answer') ?? '', ask.visitor)
    if (result.kind === 'in') return welcome(ask, result, nextOf(ask))
    if (result.kind === 'wait')
      return showWait(await drawSignIn(ask, describeWait(result.seconds)), result.seconds)
    return show(await drawSignIn(ask, { form: 'We don’t recognise this passkey.' }), 401)
  }),
  forHalf('GET', '/second-factor', (ask) => show(secondFactorPage(ask, nextOf(ask)))),
  forHalf('POST', '/second-factor', async (ask) => {
    const next = nextOf(ask)
    const result = await showSecondFactor(ask.people, ask.half, ask.fields.get('code') ?? '', ask.visitor)
    if (result.kind === 'in') return welcome(ask, result, next)
    if (result.kind === 'ended') return go(`${ask.dashboard.prefix}/dashboard/sign-in`)
    if (result.kind === 'wait')
      return showWait(secondFactorPage(ask, next, describeWait(result.seconds)), result.seconds)
    return show(secondFactorPage(ask, next, { form: 'That code is wrong or already used.' }), 401)
  }),
  forPerson('POST', '/sign-out', async (ask) => {
    await signOut(ask.people, ask.own.person, ask.own.session, ask.visitor)
    return { ...go(`${ask.dashboard.prefix}/dashboard/sign-in`), session: null, notice: 'signed_out' }
  }),
]
