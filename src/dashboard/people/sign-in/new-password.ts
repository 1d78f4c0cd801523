import { html } from '../../../platform/http/html.ts'
import { changePassword } from '../change-password.ts'
import { ruleOf, type PasswordRule } from '../passwords/rules.ts'
import { needsNewPassword } from '../sign-in.ts'
import type { Content, PersonAsk, Route } from '../../ask.ts'
import { forPerson, go, orShowMistakes, show } from '../../define-route.ts'
import { readNext } from '../../next-path.ts'
import { form, press, problems, type Mistakes } from '../../parts/parts.ts'
import { narrow, newPassword } from './entry-page.ts'

// After signing in with a password that live payments ask more of: every page leads here (guard.ts) until there is a new
// password, a passkey or an authenticator app.

const fresh = { isFresh: true }

function nextOf(ask: PersonAsk): string {
  return readNext(ask.query['next'], ask.dashboard.prefix) ?? `${ask.dashboard.prefix}/dashboard`
}

export const newPasswordRoutes: readonly Route[] = [
  forPerson(
    'GET',
    '/new-password',
    async (ask) => {
      const { people, own } = ask
      if (!(await needsNewPassword(people, own.session, own.person))) return go(nextOf(ask))
      return show(newPasswordPage(ask, await ruleOf(ask.core.db, own.person)))
    },
    fresh,
  ),
  forPerson(
    'POST',
    '/new-password',
    (ask) =>
      orShowMistakes(
        async () => {
          const session = await changePassword(ask.people, ask.own, ask.fields.get('password'), ask.visitor)
          return { ...go(nextOf(ask)), session, notice: 'password_changed' }
        },
        async (mistakes) => newPasswordPage(ask, await ruleOf(ask.core.db, ask.own.person), mistakes),
      ),
    fresh,
  ),
]

export function newPasswordPage(ask: PersonAsk, rule: PasswordRule, mistakes: Mistakes = {}): Content {
  const { prefix } = ask.dashboard
  const account = `${prefix}/dashboard/account`
  return narrow(
    'Choose a new password',
    html`<div class="card">
        <h1>Choose a new password</h1>
        <p class="quiet">
          Your password is all it takes to reach live payments, so it must be stronger than the one you just used. Saving a
          new one signs you out everywhere else.
        </p>
        ${problems(mistakes)}
        ${form(
          ask,
          ask.here,
          html`<input type="hidden" name="username" value="${ask.own.person.email}" autocomplete="username" />
            ${newPassword(rule, mistakes, 'New password')}
            <button class="go wide">Save password</button>`,
        )}
      </div>
      <div class="after stack">
        <p>
          Or keep yours and
          ${ask.site && html`<a href="${account}/passkeys">add a passkey</a> or `}<a href="${account}/codes">turn on app codes</a>.
        </p>
        ${press(ask, `${prefix}/dashboard/sign-out`, 'Sign out')}
      </div>`,
  )
}
