import { renderSVG } from 'uqr'
import { html, trusted, type Html } from '../../../platform/http/html.ts'
import { formatMinutes } from '../../../core/merchants/times/pay-within.ts'
import type { PasswordRule } from '../passwords/rules.ts'
import { deviceName } from '../sessions/device-name.ts'
import type { Session } from '../sessions/sessions.ts'
import type { Content, PersonAsk } from '../../ask.ts'
import { newPassword, type Typed } from '../sign-in/entry-page.ts'
import {
  crumb,
  field,
  form,
  head,
  press,
  problems,
  timeAgo,
  type Mistakes,
  shopTime,
} from '../../parts/parts.ts'

// The signed-in person's account: an overview, and one form for each change.

export const at = (ask: PersonAsk, path = ''): string => `${ask.dashboard.prefix}/dashboard/account${path}`
export const back = (ask: PersonAsk): Html => crumb(at(ask), 'Your account')

export type AccountFacts = {
  readonly passkeys: number
  readonly sessions: number
  readonly codesLeft: number
  /** Undefined if the installation has no OpenID provider. */
  readonly openId: { readonly name: string; readonly isLinked: boolean } | undefined
}

export function accountPage(ask: PersonAsk, facts: AccountFacts): Content {
  const { person } = ask.own
  const row = (label: string, value: Html | string, path: string, verb: string): Html => html`<li>
    <div class="what"><span class="quiet small">${label}</span>${value}</div>
    <a class="button plain" href="${at(ask, path)}" aria-label="${verb}: ${label}">${verb}</a>
  </li>`
  const isOn = html`<span><span class="pill good">on</span></span>`
  const isOff = html`<span><span class="pill warn">off</span></span>`
  const left = `${facts.codesLeft} recovery ${facts.codesLeft === 1 ? 'code' : 'codes'} left`
  return {
    title: 'Your account',
    body: html`${head('Your account')}
      <ul class="rows facts">
        ${row('Name', person.name, '/name', 'Change')} ${row('E-mail address', person.email, '/email', 'Change')}
        ${row('Password', person.hasPassword ? 'Set' : html`<span><span class="pill warn">none</span></span>`, '/password', person.hasPassword ? 'Change' : 'Set')}
        ${row(
          'Authenticator app',
          person.hasTotp ? html`${isOn}<span class="quiet small">${left}</span>` : isOff,
          '/codes',
          person.hasTotp ? 'Change' : 'Turn on',
        )}
        ${row('Passkeys', facts.passkeys === 0 ? 'None' : String(facts.passkeys), '/passkeys', facts.passkeys === 0 ? 'Add' : 'Change')}
        ${facts.openId && row(capital(facts.openId.name), facts.openId.isLinked ? 'Connected' : 'Not connected', '/openid', facts.openId.isLinked ? 'Change' : 'Connect')}
        ${row('Sessions', facts.sessions === 1 ? 'This device only' : `${facts.sessions} devices`, '/sessions', 'Show')}
        ${row('Leave Florin', 'Delete your account', '/delete', 'Delete')}
      </ul>`,
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function formPage(
  ask: PersonAsk,
  title: string,
  lead: string,
  mistakes: Mistakes,
  content: Html,
  after?: Html,
): Content {
  return {
    title,
    body: html`${head(title, { crumb: back(ask), lead })}
      <div class="card form">${problems(mistakes)} ${form(ask, ask.here, content)}</div>
      ${after}`,
  }
}

export function namePage(ask: PersonAsk, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  const value = typed['name'] ?? ask.own.person.name
  return formPage(
    ask,
    'Your name',
    'Your team sees it, and invitations show it.',
    mistakes,
    html`${field({ name: 'name', label: 'Name', autocomplete: 'name', value }, mistakes)}
      <div><button class="go">Save</button></div>`,
  )
}

export function emailPage(ask: PersonAsk, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  return formPage(
    ask,
    'Your e-mail address',
    `You sign in with ${ask.own.person.email}. We’ll send a link to the new address. The change takes effect when you open it.`,
    mistakes,
    html`${field({ name: 'email', label: 'New address', type: 'email', autocomplete: 'email', value: typed['email'] }, mistakes)}
      <div><button class="go">Send the link</button></div>`,
  )
}

export function passwordPage(
  ask: PersonAsk,
  given: { readonly hasPasskeys: boolean; readonly rule: PasswordRule },
  mistakes: Mistakes = {},
): Content {
  const { person } = ask.own
  const canRemove = person.hasPassword && given.hasPasskeys
  return formPage(
    ask,
    person.hasPassword ? 'Change your password' : 'Set a password',
    'This signs you out everywhere else.',
    mistakes,
    html`<input type="hidden" name="username" value="${person.email}" autocomplete="username" />
      ${newPassword(given.rule, mistakes, 'New password')}
      <div><button class="go">Save</button></div>`,
    canRemove
      ? html`<div class="card form">
          <h2>Sign in with passkeys only</h2>
          <p class="quiet">With no password, there is nothing to guess or steal.</p>
          <div>${press(ask, `${at(ask, '/password')}/do/remove`, 'Remove password', {}, 'danger')}</div>
        </div>`
      : undefined,
  )
}

export function codesPage(
  ask: PersonAsk,
  given: { secret: string; address: string },
  mistakes: Mistakes = {},
): Content {
  const grouped = given.secret.match(/.{4}/g)?.join(' ') ?? ''
  const picture = renderSVG(given.address, { ecc: 'M', border: 1 })
  return formPage(
    ask,
    'Turn on app codes',
    'After your password, you’ll enter a code from your phone.',
    mistakes,
    html`<ol class="steps">
        <li>
          <div>
            <h2>Scan this with an authenticator app</h2>
            <div class="qr" role="img" aria-label="QR code for an authenticator app">${trusted(picture)}</div>
            <p class="hint">No camera? Type this into the app:</p>
            <p><code>${grouped}</code></p>
          </div>
        </li>
        <li>
          <div>
            <h2>Enter the code the app shows</h2>
            <input type="hidden" name="secret" value="${given.secret}" />
            ${field({ name: 'code', label: 'Six digits', autocomplete: 'one-time-code', isCode: true }, mistakes)}
          </div>
        </li>
      </ol>
      <div><button class="go">Turn on</button></div>`,
  )
}

export function codesOnPage(ask: PersonAsk, left: number): Content {
  return {
    title: 'Authenticator app',
    body: html`${head('Authenticator app', { crumb: back(ask) })}
      <ul class="rows">
        <li>
          <div class="what"><b>App codes are on</b><span class="quiet">You enter one every time you sign in.</span></div>
          ${press(ask, `${at(ask, '/codes')}/do/off`, 'Turn off', {}, 'danger')}
        </li>
        <li>
          <div class="what">
            <b>${left} recovery ${left === 1 ? 'code' : 'codes'} left</b>
            <span class="quiet">Use one if you lose your phone. New codes replace the old ones.</span>
          </div>
          ${press(ask, `${at(ask, '/codes')}/do/renew`, 'Create new codes')}
        </li>
      </ul>`,
  }
}

export function recoveryCodesPage(ask: PersonAsk, codes: readonly string[]): Content {
  return {
    title: 'Recovery codes',
    body: html`${head('Your recovery codes', { crumb: back(ask) })}
      <div class="card form">
        <p>
          Print them or store them with your passwords. Each works once, in place of an app code.
          <strong>You won’t see them again.</strong>
        </p>
        <ul class="codes" id="codes">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ul>
        <div class="actions">
          <a class="button go" href="${at(ask)}">I’ve saved them</a>
          <button class="plain" type="button" data-copy="codes" hidden>Copy</button>
        </div>
      </div>`,
  }
}

export function sessionsPage(ask: PersonAsk, sessions: readonly Session[]): Content {
  const now = shopTime(ask)
  const others = sessions.filter(({ id }) => id !== ask.own.session.id)
  return {
    title: 'Sessions',
    body: html`${head('Sessions', {
      crumb: back(ask),
      lead: `Where you’re signed in. A session ends after ${formatMinutes(ask.own.idleMinutes)} without use, or after 30 days.`,
    })}
      <ul class="rows">
        ${sessions.map(
          (session) => html`<li>
            <div class="what">
              <b>${deviceName(session.device)}</b>
              <span class="quiet small figures"
                >${session.address} · signed in ${timeAgo(session.startedAt, now)} · seen ${timeAgo(session.seenAt, now)}</span
              >
            </div>
            ${
              session.id === ask.own.session.id
                ? html`<span class="pill good">this device</span>`
                : press(ask, `${at(ask, '/sessions')}/do/end`, 'Sign out', { id: session.id })
            }
          </li>`,
        )}
      </ul>
      ${others.length > 0 && html`<div>${press(ask, `${at(ask, '/sessions')}/do/end-others`, 'Sign out everywhere else', {}, 'danger')}</div>`}`,
  }
}

export function deletePage(ask: PersonAsk, mistakes: Mistakes = {}): Content {
  const { merchants } = ask.own
  const names = merchants.map(({ name }) => name).join(', ')
  return formPage(
    ask,
    'Delete your account',
    'You won’t be able to sign in again. This can’t be undone.',
    mistakes,
    html`<p>
        ${merchants.length > 0 && html`You’ll leave ${names}. `}Your address, password, passkeys and sessions are deleted. The audit log keeps
        what you did, with your name.
      </p>
      <div><button class="danger">Delete my account</button></div>`,
  )
}
