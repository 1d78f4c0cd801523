import { html, type Html } from '../../platform/http/html.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk, PersonAsk } from '../ask.ts'
import { drawMatters } from './attention.ts'
import type { Matter } from '../slots.ts'
import { styles } from './styles.ts'
import { head } from '../parts/parts.ts'

// Home before there are payments: the next steps.

/** Payments on the home page. */
export const latestShown = 8

/** A test shop with fewer payments than its home page shows may still be on its first steps. */
export function isYoung({ place }: Pick<MemberAsk, 'place'>, payments: number): boolean {
  return place.mode === 'test' && !place.merchant.liveEnabled && payments < latestShown
}

export function firstStepsPage(ask: MemberAsk, matters: readonly Matter[]): Content {
  const { merchant, mode, role, home } = ask.place
  const isLive = mode === 'live'
  const steps = isLive && !merchant.liveEnabled ? [notLive(ask)] : firstSteps(ask)
  const mustSet = !ask.own.person.hasPassword
  // Setting a password is already the first step.
  const others = matters.filter(({ to }) => !to.endsWith('/account'))
  return {
    title: merchant.name,
    styles,
    body: html`${head(merchant.name, { lead: isLive ? 'Live' : 'Everything here is test data.' })}
      ${drawMatters(others)}
      <div class="card">
        <ol class="steps">
          ${mustSet && setPassword(ask)} ${steps}
          ${
            hasRight(role, 'team.change') &&
            html`<li>
              <div>
                <h2>Invite your team</h2>
                <p class="quiet">Developers manage keys, support staff make refunds, bookkeepers export, viewers only look.</p>
                <div><a class="button plain" href="${home}/team/invite">Invite someone</a></div>
              </div>
            </li>`
          }
        </ol>
      </div>`,
  }
}

function setPassword(ask: MemberAsk): Html {
  return html`<li>
    <div>
      <h2>Set a password</h2>
      <p class="quiet">The link you used works only once. Set a password or passkey so you can sign in again.</p>
      <div><a class="button go" href="${ask.dashboard.prefix}/dashboard/account">Your account</a></div>
    </div>
  </li>`
}

function firstSteps(ask: MemberAsk): Html[] {
  const { prefix } = ask.dashboard
  const { mode, home, role } = ask.place
  const guide = html`<li>
    <div>
      <h2>Create a payment</h2>
      <p class="quiet">One API call creates a payment link for your customer. The guide has code in six languages.</p>
      <div><a class="button plain" href="${prefix}/docs">Open the guide</a></div>
    </div>
  </li>`
  if (mode === 'test') return [tryIt(ask), guide]
  if (!hasRight(role, 'keys.change')) return [guide]
  return [
    html`<li>
      <div>
        <h2>Create a key</h2>
        <p class="quiet">Your server sends it with every call. You see it once.</p>
        <div><a class="button plain" href="${home}/keys/new">Create a key</a></div>
      </div>
    </li>`,
    guide,
  ]
}

function tryIt(ask: MemberAsk): Html {
  return html`<li>
    <div>
      <h2>Try it in five minutes</h2>
      <p class="quiet">Create a test payment, pay it, watch the notification arrive, and copy the code.</p>
      <div><a class="button go" href="${ask.place.home}/start">Start</a></div>
    </div>
  </li>`
}

function notLive(ask: MemberAsk): Html {
  const mayOpen = hasRight(ask.place.role, 'settings.view')
  return html`<li>
    <div>
      <h2>Live payments are off</h2>
      <p class="quiet">Going live shows what is left to do${!ask.own.person.isOperator && ', then the operator of this Florin turns them on'}.</p>
      ${mayOpen && html`<div><a class="button go" href="${ask.place.home}/settings/live">Going live</a></div>`}
    </div>
  </li>`
}

/** A node of the cluster is down, and the person's shops may be on it. */
export function partlyDownPage(): Content {
  return {
    title: 'Your shop can’t be reached right now',
    body: html`${head('Your shop can’t be reached right now')}
      <div class="card empty">
        <p>A part of the database doesn’t answer. Nothing is lost. Try again in a moment.</p>
      </div>`,
  }
}

/** For a person who is in no team. */
export function nowherePage(ask: PersonAsk): Content {
  const { prefix } = ask.dashboard
  return {
    title: 'No shop',
    body: html`${head('You’re not in any team')}
      <div class="card empty">
        <p>Ask a shop owner to invite ${ask.own.person.email}. The link in the e-mail brings you back here.</p>
        <a class="button plain" href="${prefix}/dashboard/account">Your account</a>
      </div>`,
  }
}
