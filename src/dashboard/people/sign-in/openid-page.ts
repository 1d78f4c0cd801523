import { html, type Html } from '../../../platform/http/html.ts'
import type { LinkedIdentity } from '../openid/identities.ts'
import type { Ask, Content, PersonAsk } from '../../ask.ts'
import { crumb, form, head, press, problems, timeAgo, type Mistakes, shopTime } from '../../parts/parts.ts'

/** A button to the OpenID provider, if there is one. */
export function openIdForm(
  ask: Ask,
  action: string,
  label: (name: string) => string,
  next?: string,
): Html | undefined {
  const name = ask.people.openId?.name
  if (name === undefined) return undefined
  return form(
    ask,
    action,
    html`${next !== undefined && html`<input type="hidden" name="next" value="${next}" />`}
      <button class="plain wide">${label(name)}</button>`,
  )
}

/** The browser continues by itself. The page's CSP would block a form's redirect to the provider. */
export function goingPage(name: string, url: string): Content {
  return {
    title: `Going to ${name}`,
    isNarrow: true,
    body: html`<div class="card">
      <h1>One moment</h1>
      <p>Sign in at ${name}, then you’ll come back here.</p>
      <a class="button go wide" href="${url}">Continue</a>
    </div>`,
  }
}

export function openIdPage(
  ask: PersonAsk,
  name: string,
  linked: LinkedIdentity | undefined,
  mistakes: Mistakes = {},
): Content {
  const account = `${ask.dashboard.prefix}/dashboard/account`
  const title = `Sign in with ${name}`
  const lead = linked
    ? 'Connected. You can sign in to Florin with this account.'
    : 'Connect it to sign in without your password. If you use app codes, you’ll still enter one.'
  return {
    title,
    body: html`${head(title, { crumb: crumb(account, 'Your account'), lead })} ${problems(mistakes)}
      ${
        linked
          ? html`<ul class="rows">
              <li>
                <div class="what">
                  <b>${linked.email ?? name}</b>
                  <span class="quiet small"
                    >${linked.usedAt === null ? 'Not used yet' : html`Used ${timeAgo(new Date(linked.usedAt), shopTime(ask))}`}</span
                  >
                </div>
                ${press(ask, `${account}/openid/do/remove`, 'Disconnect', {}, 'danger')}
              </li>
            </ul>`
          : html`<div class="card form">
              ${form(ask, `${account}/openid`, html`<div><button class="go">Connect</button></div>`)}
            </div>`
      }`,
  }
}
