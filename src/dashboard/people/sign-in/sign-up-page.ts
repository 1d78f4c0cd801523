import { html, type Html } from '../../../platform/http/html.ts'
import { linkMinutes } from '../links.ts'
import type { PasswordRule } from '../passwords/rules.ts'
import type { WhoseSignUp } from '../sign-up.ts'
import type { Ask, Content } from '../../ask.ts'
import { narrow, newPassword, type Typed } from './entry-page.ts'
import { field, form, problems, type Mistakes } from '../../parts/parts.ts'

// Sign-up, by e-mail or, for the first person, with a link from the command line.

export function signUpPage(ask: Ask, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  const { prefix } = ask.dashboard
  return narrow(
    'Sign up',
    html`<div class="card">
        <h1>Sign up</h1>
        <p class="quiet">Enter your e-mail address. We’ll send you a link to continue.</p>
        ${problems(mistakes)}
        ${form(
          ask,
          `${prefix}/dashboard/sign-up`,
          html`${emailField(typed, mistakes)}<button class="go wide">Send the link</button>`,
        )}
      </div>
      <div class="after"><p>Have an account? <a href="${prefix}/dashboard/sign-in">Sign in</a></p></div>`,
  )
}

/** Before the first account: says how to get a link. */
export function firstLinkPage(ask: Ask): Content {
  return narrow(
    'Welcome to Florin',
    html`<div class="card">
      <h1>Welcome to Florin</h1>
      <p>There are no accounts yet. The first person becomes the operator of this installation, and needs a link.</p>
      <p>On the machine that runs Florin, run:</p>
      <pre><code>bin/florin sign-in-link</code></pre>
      <p class="quiet">The link works once, for ${linkMinutes.sign_up} minutes.</p>
      <a class="button go" href="${ask.here}">Check again</a>
    </div>`,
  )
}

function emailField(typed: Typed, mistakes: Mistakes): Html {
  return field(
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username',
      value: typed['email'],
    },
    mistakes,
  )
}

function accountFields(rule: PasswordRule, typed: Typed, mistakes: Mistakes): Html {
  return html`${field({ name: 'name', label: 'Your name', autocomplete: 'name', value: typed['name'] }, mistakes)}
  ${field({ name: 'merchant', label: 'Name of your shop', autocomplete: 'organization', value: typed['merchant'], hint: 'The name your customers know. It appears on the checkout.' }, mistakes)}
  ${newPassword(rule, mistakes)}`
}

export function finishSignUpPage(
  ask: Ask,
  whose: WhoseSignUp,
  rule: PasswordRule,
  typed: Typed = {},
  mistakes: Mistakes = {},
): Content {
  const isFirst = whose === 'first'
  const title = isFirst ? 'Welcome to Florin' : 'Finish signing up'
  return narrow(
    title,
    html`<div class="card">
      <h1>${title}</h1>
      <p class="quiet">
        ${isFirst ? 'You’re the first here. You’ll be the operator of this installation, and the owner of its first shop.' : `You’ll sign in with ${whose.email}.`}
      </p>
      ${problems(mistakes)}
      ${form(
        ask,
        ask.here,
        html`${isFirst && emailField(typed, mistakes)}${accountFields(rule, typed, mistakes)}<button class="go wide">Sign up</button>`,
      )}
    </div>`,
  )
}
