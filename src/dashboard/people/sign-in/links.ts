import { confirmEmail, whichEmail } from '../change-account.ts'
import { askForReset, resetPassword, findPersonByResetToken } from '../change-password.ts'
import { ruleOf } from '../passwords/rules.ts'
import { readEmail } from '../read-person.ts'
import { isLinkReplaced } from '../links.ts'
import { signInByLink, whoseSignInLink } from '../sign-in-link.ts'
import { askToSignUp, finishSignUp, signUpRule, signUpState, whoseSignUp } from '../sign-up.ts'
import { joinAsNewPerson, joinTeam, readInvitation, type Invitation } from '../team/join-team.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Answer, Ask, Route } from '../../ask.ts'
import { readNext } from '../../next-path.ts'
import { forAnyone, go, orShowMistakes, describeWait, show, showWait } from '../../define-route.ts'
import {
  confirmPage,
  forgottenPage,
  joinPage,
  emailSentPage,
  linkOverPage,
  messagePage,
  resetPage,
  type JoinModel,
} from './entry-page.ts'
import { finishSignUpPage, firstLinkPage, signUpPage } from './sign-up-page.ts'
import { welcome } from './handlers.ts'

// Links from e-mails (new password, new address, sign-up, invitation) and from commands.

const typedIn = (ask: Ask) => Object.fromEntries(ask.fields)
const secretOf = (ask: Ask): string => ask.params['secret'] ?? ''

type Over = {
  readonly replaced: string
  readonly sentence: string
  readonly to?: string
  readonly label?: string
}

/** A link that was replaced was neither used nor is it old. */
async function showOver(ask: Ask, kind: 'reset' | 'email' | 'sign_in', over: Over): Promise<Answer> {
  const isReplaced = await isLinkReplaced(ask.people.db, kind, secretOf(ask), ask.people.now())
  return show(linkOverPage(ask, isReplaced ? { ...over, sentence: over.replaced } : over), 404)
}

const askAgain: Over = {
  replaced: 'You asked for a newer one since. Use the link in the newest e-mail.',
  sentence: 'It was already used, has expired, or your password was changed since. Ask for a new one.',
  to: '/dashboard/forgotten',
  label: 'Ask for a new link',
}

export const passwordLinkRoutes: readonly Route[] = [
  forAnyone('GET', '/forgotten', (ask) => show(forgottenPage(ask))),
  forAnyone('POST', '/forgotten', (ask) =>
    orShowMistakes(
      async () => {
        const email = readEmail(ask.fields.get('email'))
        const wait = await askForReset(ask.people, email, ask.visitor)
        if (wait) return showWait(forgottenPage(ask, typedIn(ask), describeWait(wait.seconds)), wait.seconds)
        return show(emailSentPage(ask, email, 'If this address has an account, we’ve sent it a link.'))
      },
      (mistakes) => forgottenPage(ask, typedIn(ask), mistakes),
    ),
  ),
  forAnyone('GET', '/reset/:secret', async (ask) => {
    const person = await findPersonByResetToken(ask.people, secretOf(ask))
    if (!person) return showOver(ask, 'reset', askAgain)
    return show(resetPage(ask, person.email, await ruleOf(ask.core.db, person)))
  }),
  forAnyone('POST', '/reset/:secret', async (ask) => {
    const person = await findPersonByResetToken(ask.people, secretOf(ask))
    if (!person) return showOver(ask, 'reset', askAgain)
    return orShowMistakes(
      async () => {
        const isDone = await resetPassword(ask.people, secretOf(ask), ask.fields.get('password'), ask.visitor)
        if (!isDone) return showOver(ask, 'reset', askAgain)
        return { ...go(`${ask.dashboard.prefix}/dashboard/sign-in`), session: null, notice: 'password_reset' }
      },
      async (mistakes) => resetPage(ask, person.email, await ruleOf(ask.core.db, person), mistakes),
    )
  }),
]

const emailOver: Over = {
  replaced: 'You asked for a newer one since. Use the link in the newest e-mail.',
  sentence:
    'It was already used, has expired, your password was changed since, or someone else now has this address.',
  to: '/dashboard/account',
  label: 'Your account',
}
const commandOver: Over = {
  replaced:
    'A newer sign-in link replaced it. Use the newer one, or create another with: bin/florin sign-in-link',
  sentence:
    'It was already used, is older than 15 minutes, or your password or address was changed since. Create a new one with: bin/florin sign-in-link',
}

export const otherLinkRoutes: readonly Route[] = [
  forAnyone('GET', '/email/:secret', async (ask) => {
    const email = await whichEmail(ask.people, secretOf(ask))
    if (email === undefined) return showOver(ask, 'email', emailOver)
    return show(
      confirmPage(ask, 'Confirm your address', `You’ll sign in with ${email} from now on.`, 'Confirm'),
    )
  }),
  forAnyone('POST', '/email/:secret', async (ask) => {
    const email = await confirmEmail(ask.people, secretOf(ask), ask.visitor)
    if (email === undefined) return showOver(ask, 'email', emailOver)
    return { ...go(`${ask.dashboard.prefix}/dashboard/account`), notice: 'email_changed' }
  }),
  forAnyone('GET', '/link/:secret', async (ask) => {
    const person = await whoseSignInLink(ask.people, secretOf(ask))
    if (!person) return showOver(ask, 'sign_in', commandOver)
    return show(confirmPage(ask, 'Sign in', `As ${person.name}, ${person.email}.`, 'Sign in'))
  }),
  forAnyone('POST', '/link/:secret', async (ask) => {
    const result = await signInByLink(ask.people, secretOf(ask), ask.visitor)
    if (!result) return showOver(ask, 'sign_in', commandOver)
    return welcome(ask, result, readNext(ask.query['next'], ask.dashboard.prefix))
  }),
]

const signUpOver = {
  sentence: 'It was already used or has expired. Sign up again.',
  to: '/dashboard/sign-up',
  label: 'Sign up',
}

export const signUpRoutes: readonly Route[] = [
  forAnyone('GET', '/sign-up', async (ask) => {
    const state = await signUpState(ask.people)
    return state === 'open' ? show(signUpPage(ask)) : signUpClosed(ask, state)
  }),
  forAnyone('POST', '/sign-up', async (ask) => {
    const state = await signUpState(ask.people)
    if (state !== 'open') return signUpClosed(ask, state)
    return orShowMistakes(
      async () => {
        const email = readEmail(ask.fields.get('email'))
        const wait = await askToSignUp(ask.people, email, ask.visitor)
        if (wait) return showWait(signUpPage(ask, typedIn(ask), describeWait(wait.seconds)), wait.seconds)
        return show(emailSentPage(ask, email, 'The e-mail has a link to continue.'))
      },
      (mistakes) => signUpPage(ask, typedIn(ask), mistakes),
    )
  }),
  forAnyone('GET', '/sign-up/:secret', async (ask) => {
    const whose = await whoseSignUp(ask.people, secretOf(ask))
    if (whose === undefined) return show(linkOverPage(ask, signUpOver), 404)
    return show(finishSignUpPage(ask, whose, await signUpRule(ask.people, whose)))
  }),
  forAnyone('POST', '/sign-up/:secret', async (ask) => {
    const whose = await whoseSignUp(ask.people, secretOf(ask))
    if (whose === undefined) return show(linkOverPage(ask, signUpOver), 404)
    return orShowMistakes(
      async () => {
        const result = await finishSignUp(ask.people, secretOf(ask), typedIn(ask), ask.visitor)
        return result ? welcome(ask, result) : show(linkOverPage(ask, signUpOver), 404)
      },
      async (mistakes) =>
        finishSignUpPage(ask, whose, await signUpRule(ask.people, whose), typedIn(ask), mistakes),
    )
  }),
]

function signUpClosed(ask: Ask, state: 'first' | 'closed'): Answer {
  if (state === 'first') return show(firstLinkPage(ask), 403)
  const sentence = 'You need an invitation to join. Ask the owner of the shop you work for.'
  return show(
    messagePage(ask, 'Sign-up is closed', sentence, { to: '/dashboard/sign-in', label: 'Sign in' }),
    403,
  )
}

const joinOver = { sentence: 'It was already used, withdrawn, or has expired. Ask for a new invitation.' }

export const joinRoutes: readonly Route[] = [
  forAnyone('GET', '/join/:merchant/:secret', async (ask) => {
    const found = await findInvitation(ask)
    return found ? show(joinPage(ask, found.model)) : show(linkOverPage(ask, joinOver), 404)
  }),
  forAnyone('POST', '/join/:merchant/:secret', async (ask) => {
    const found = await findInvitation(ask)
    if (!found) return show(linkOverPage(ask, joinOver), 404)
    const { merchantId, model } = found
    const to = `${ask.dashboard.prefix}/dashboard/${merchantId}/test`
    if (model.who === 'known' || model.who === 'strange') return show(joinPage(ask, model), 403)
    return orShowMistakes(
      async (): Promise<Answer> => {
        if (ask.own) {
          const session = await joinTeam(ask.people, merchantId, secretOf(ask), ask.own, ask.visitor)
          return session ? { ...go(to), session, notice: 'joined' } : show(linkOverPage(ask, joinOver), 404)
        }
        const result = await joinAsNewPerson(ask.people, merchantId, secretOf(ask), typedIn(ask), ask.visitor)
        return result
          ? { ...welcome(ask, result, to), notice: 'joined' }
          : show(linkOverPage(ask, joinOver), 404)
      },
      (mistakes) => joinPage(ask, model, typedIn(ask), mistakes),
    )
  }),
]

async function findInvitation(ask: Ask): Promise<{ merchantId: number; model: JoinModel } | undefined> {
  const number = ask.params['merchant'] ?? ''
  if (!/^\d{8}$/.test(number)) throw new Refusal('not_found')
  const merchantId = Number(number)
  const invitation = await readInvitation(ask.people, merchantId, secretOf(ask))
  const merchant = invitation && (await ask.dashboard.findMerchant(merchantId))
  if (!merchant) return undefined
  const { email, role, rule } = invitation
  return {
    merchantId,
    model: { merchantName: merchant.name, role, email, rule, who: whoIs(ask, invitation) },
  }
}

function whoIs({ own }: Ask, { email, hasAccount }: Invitation): JoinModel['who'] {
  if (own) return own.person.email.toLowerCase() === email.toLowerCase() ? 'signed_in' : 'strange'
  return hasAccount ? 'known' : 'new'
}
