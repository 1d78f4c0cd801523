import { html } from '../../../platform/http/html.ts'
import type { Content, PersonAsk } from '../../ask.ts'
import { openIdForm } from './openid-page.ts'
import { field, form, passkeyForm, problems, type Mistakes } from '../../parts/parts.ts'

export function provePage(
  ask: PersonAsk,
  next: string,
  can: { readonly passkey: boolean; readonly openId: boolean },
  mistakes: Mistakes = {},
): Content {
  const { prefix } = ask.dashboard
  const { person } = ask.own
  const action = `${prefix}/dashboard/prove`
  const nextField = html`<input type="hidden" name="next" value="${next}" />`
  return {
    title: 'Confirm it’s you',
    isNarrow: true,
    body: html`<div class="card">
        <h1>Confirm it’s you</h1>
        <p class="quiet">We ask before anything that touches money, keys or access. You won’t be asked again for ten minutes.</p>
        ${problems(mistakes)}
        ${
          person.hasPassword &&
          form(
            ask,
            action,
            html`${nextField}<input type="hidden" name="username" value="${person.email}" autocomplete="username" />
              ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isFirst: true }, {})}
              <button class="go wide">Continue</button>`,
          )
        }
        ${can.passkey && passkeyForm(ask, { action: `${action}/passkey`, options: `${action}/passkey-options`, label: 'Use a passkey', next })}
        ${can.openId && openIdForm(ask, `${action}/openid`, (name) => `Confirm with ${name}`, next)}
        ${
          !person.hasPassword &&
          !can.passkey &&
          !can.openId &&
          html`<p>You don’t have a password or passkey yet. Set one first:</p>
            <a class="button go" href="${prefix}/dashboard/account/password">Set a password</a>`
        }
      </div>
      <div class="after"><p><a href="${prefix}/dashboard">Back to the dashboard</a></p></div>`,
  }
}
