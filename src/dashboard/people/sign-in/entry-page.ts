import { html, type Html } from '../../../platform/http/html.ts'
import { passwordHint, type PasswordRule } from '../passwords/rules.ts'
import type { Ask, Content } from '../../ask.ts'
import { openIdForm } from './openid-page.ts'
import { field, form, passkeyForm, problems, type Mistakes } from '../../parts/parts.ts'

// Pages for signing in and for links from e-mails.

export function narrow(title: string, body: Html): Content {
  return { title, body, isNarrow: true }
}

function nextField(next: string | undefined): Html | undefined {
  return next === undefined ? undefined : html`<input type="hidden" name="next" value="${next}" />`
}

export type Typed = Readonly<Record<string, string | undefined>>

export function signInPage(
  ask: Ask,
  given: { next: string | undefined; typed?: Typed; mistakes?: Mistakes; isSignUpOpen: boolean },
): Content {
  const { prefix } = ask.dashboard
  const { next, typed = {}, mistakes = {} } = given
  return narrow(
    'Sign in',
    html`<div class="card">
        <h1>Sign in</h1>
        ${problems(mistakes)}
        ${form(
          ask,
          `${prefix}/dashboard/sign-in`,
          html`${nextField(next)}
            ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: typed['email'] }, {})}
            ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, {})}
            <input type="hidden" name="task" /><input type="hidden" name="nonce" />
            <button class="go wide">Sign in</button>`,
          'stack',
          html`data-proof="${prefix}/dashboard/sign-in/proof"`,
        )}
        ${
          ask.site &&
          passkeyForm(ask, {
            action: `${prefix}/dashboard/sign-in/passkey`,
            options: `${prefix}/dashboard/sign-in/passkey-options`,
            label: 'Sign in with a passkey',
            ...(next !== undefined && { next }),
          })
        }
        ${openIdForm(ask, `${prefix}/dashboard/sign-in/openid`, (name) => `Sign in with ${name}`, next)}
      </div>
      <div class="after">
        <p><a href="${prefix}/dashboard/forgotten">Forgotten your password?</a></p>
        ${given.isSignUpOpen && html`<p>New here? <a href="${prefix}/dashboard/sign-up">Sign up</a></p>`}
      </div>`,
  )
}

export function secondFactorPage(ask: Ask, next: string | undefined, mistakes: Mistakes = {}): Content {
  const { prefix } = ask.dashboard
  return narrow(
    'Second factor',
    html`<div class="card">
        <h1>Your code</h1>
        <p class="quiet">Open your authenticator app and enter the six digits it shows for Florin.</p>
        ${problems(mistakes)}
        ${form(
          ask,
          `${prefix}/dashboard/second-factor`,
          html`${nextField(next)}
            ${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isCode: true, isFirst: true, hint: 'Lost your phone? Enter a recovery code instead.' }, {})}
            <button class="go wide">Continue</button>`,
        )}
      </div>
      <div class="after"><p><a href="${prefix}/dashboard/sign-in">Start again</a></p></div>`,
  )
}

export function forgottenPage(ask: Ask, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  const { prefix } = ask.dashboard
  return narrow(
    'Forgotten password',
    html`<div class="card">
        <h1>Set a new password</h1>
        <p class="quiet">Enter your e-mail address. We’ll send you a link that works for 30 minutes.</p>
        ${problems(mistakes)}
        ${form(
          ask,
          `${prefix}/dashboard/forgotten`,
          html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: typed['email'] }, mistakes)}
            <button class="go wide">Send the link</button>`,
        )}
      </div>
      <div class="after"><p><a href="${prefix}/dashboard/sign-in">Back to sign in</a></p></div>`,
  )
}

export function emailSentPage(ask: Ask, email: string, sentence: string): Content {
  const { prefix, hasMailServer } = ask.dashboard
  return narrow(
    'Check your e-mail',
    html`<div class="card">
        <h1>Check your e-mail</h1>
        <p>${sentence}</p>
        <p class="quiet">
          Sent to <strong>${email}</strong>. Nothing after a few minutes? Check your spam folder, or check the
          address.
        </p>
        ${
          !hasMailServer &&
          html`<div class="stack">
            <p class="quiet">This Florin has no mail server. Its operator can read the e-mail with:</p>
            <pre class="command"><code>bin/florin mailbox --people</code></pre>
          </div>`
        }
      </div>
      <div class="after"><p><a href="${prefix}/dashboard/sign-in">Back to sign in</a></p></div>`,
  )
}

export function resetPage(ask: Ask, email: string, rule: PasswordRule, mistakes: Mistakes = {}): Content {
  return narrow(
    'New password',
    html`<div class="card">
      <h1>Set a new password</h1>
      <p class="quiet">For ${email}. This signs you out everywhere.</p>
      ${problems(mistakes)}
      ${form(
        ask,
        ask.here,
        html`<input type="hidden" name="email" value="${email}" autocomplete="username" />
          ${newPassword(rule, mistakes, 'New password')}
          <button class="go wide">Save password</button>`,
      )}
    </div>`,
  )
}

/** One question and one button: opening a link changes nothing. */
export function confirmPage(ask: Ask, title: string, sentence: string, label: string): Content {
  return narrow(
    title,
    html`<div class="card">
      <h1>${title}</h1>
      <p>${sentence}</p>
      ${form(ask, ask.here, html`<button class="go wide">${label}</button>`)}
    </div>`,
  )
}

export function linkOverPage(ask: Ask, what: { sentence: string; to?: string; label?: string }): Content {
  const { prefix } = ask.dashboard
  return narrow(
    'This link no longer works',
    html`<div class="card">
      <h1>This link no longer works</h1>
      <p>${what.sentence}</p>
      <a class="button go" href="${prefix}${what.to ?? '/dashboard/sign-in'}">${what.label ?? 'Sign in'}</a>
    </div>`,
  )
}

export type JoinModel = {
  readonly merchantName: string
  readonly role: string
  readonly email: string
  readonly rule: PasswordRule
  /** new: no account has this address. strange: someone else is signed in. */
  readonly who: 'new' | 'known' | 'signed_in' | 'strange'
}

export function joinPage(ask: Ask, model: JoinModel, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  const { prefix } = ask.dashboard
  const signIn = `${prefix}/dashboard/sign-in?next=${encodeURIComponent(ask.here)}`
  return narrow(
    `Join ${model.merchantName}`,
    html`<div class="card">
      <h1>Join ${model.merchantName}</h1>
      <p class="quiet">You’re invited as ${model.role}, with ${model.email}.</p>
      ${problems(mistakes)} ${joinForm(ask, model, signIn, typed, mistakes)}
    </div>`,
  )
}

function joinForm(ask: Ask, model: JoinModel, signIn: string, typed: Typed, mistakes: Mistakes): Html {
  if (model.who === 'signed_in') return form(ask, ask.here, html`<button class="go wide">Join</button>`)
  if (model.who === 'known') return html`<a class="button go" href="${signIn}">Sign in to join</a>`
  if (model.who === 'strange')
    return html`<p>
        You’re signed in with another address. Sign out, then open the link in the e-mail again.
      </p>
      ${form(ask, `${ask.dashboard.prefix}/dashboard/sign-out`, html`<button class="plain wide">Sign out</button>`)}`
  const byPassword = form(
    ask,
    ask.here,
    html`${field({ name: 'name', label: 'Your name', autocomplete: 'name', value: typed['name'] }, mistakes)}
      ${newPassword(model.rule, mistakes)}<button class="go wide">Join</button>`,
  )
  return html`${byPassword} ${openIdForm(ask, `${ask.here}/do/openid`, (name) => `Join with ${name}`)}`
}

export function messagePage(
  ask: Ask,
  title: string,
  sentence: string,
  link?: { to: string; label: string },
): Content {
  const { prefix } = ask.dashboard
  return narrow(
    title,
    html`<div class="card">
      <h1>${title}</h1>
      <p>${sentence}</p>
      <a class="button plain" href="${prefix}${link?.to ?? '/dashboard'}">${link?.label ?? 'Go to the dashboard'}</a>
    </div>`,
  )
}

/** For choosing a new password. */
export function newPassword(rule: PasswordRule, mistakes: Mistakes, label = 'Password'): Html {
  return field(
    {
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: passwordHint(rule),
    },
    mistakes,
  )
}
