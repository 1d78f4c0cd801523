import { html, type Html } from '../../../platform/http/html.ts'
import { hasRight, rightsTable, roleMeanings, roles, type Role } from '../rights.ts'
import type { Member } from '../team/team.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { idField } from '../../once.ts'
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
import { table } from '../../parts/lists.ts'
import { copyable, section } from '../../parts/things.ts'

// A shop's members, their roles, and open invitations.

export type InvitationShown = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
}

export function teamPage(
  ask: MemberAsk,
  members: readonly Member[],
  invitations: readonly InvitationShown[],
): Content {
  const { home, role, merchant } = ask.place
  const mayChange = hasRight(role, 'team.change')
  return {
    title: 'Team',
    body: html`${head('Team', {
      lead: `People who work on ${merchant.name}, and their roles.`,
      ...(mayChange && { action: html`<a class="button go" href="${home}/team/invite">Invite someone</a>` }),
    })}
      <ul class="rows">
        ${members.map((member) => memberRow(ask, member, mayChange))}
      </ul>
      ${
        invitations.length > 0 &&
        html`<h2>Invited</h2>
          <ul class="rows">
            ${invitations.map(
              ({ id, email, role: asWhat, created_at }) => html`<li>
                <div class="what">
                  <b>${email}</b
                  ><span class="quiet small">Invited ${timeAgo(new Date(created_at), shopTime(ask))}</span>
                </div>
                <span class="pill">${asWhat}</span>
                ${mayChange && press(ask, `${home}/team/do/withdraw`, 'Withdraw', { id })}
              </li>`,
            )}
          </ul>`
      }
      ${summarySection(ask, members, mayChange)}
      <p><a href="${home}/team/leave">Leave this team</a></p>`,
  }
}

function memberRow(ask: MemberAsk, member: Member, mayChange: boolean): Html {
  const isOwn = member.personId === ask.own.person.id
  return html`<li>
    <div class="what">
      <b>${member.name}${isOwn && ' (you)'}</b><span class="quiet small">${member.email}</span>
    </div>
    ${!member.hasSecondFactor && html`<span class="pill warn">no app codes</span>`}
    <span class="pill">${member.role}</span>
    ${
      mayChange &&
      !isOwn &&
      html`<a
        class="button plain"
        href="${ask.place.home}/team/${member.personId}"
        aria-label="Change: ${member.name}"
        >Change</a
      >`
    }
  </li>`
}

/** Whom owners may choose for: everyone. Others: themselves. */
function summarySection(ask: MemberAsk, members: readonly Member[], mayChange: boolean): Html {
  const shown = members.filter(({ personId }) => mayChange || personId === ask.own.person.id)
  return html`<h2>Monthly summary by e-mail</h2>
    <p class="quiet">
      When a month is over: what came in, refunds, disputes, fees and net per currency, beside the month before, with a link
      to export it. For live payments only.
    </p>
    <ul class="rows">
      ${shown.map(({ personId, name, email, getsSummary }) => {
        const to = getsSummary ? 'off' : 'on'
        const path = `${ask.place.home}/team/do/summary`
        return html`<li>
          <div class="what"><b>${name}</b><span class="quiet small">${email}</span></div>
          ${getsSummary && html`<span class="pill good">on</span>`}
          ${press(ask, path, getsSummary ? `Stop for ${name}` : `Send to ${name}`, { person: personId, to })}
        </li>`
      })}
    </ul>`
}

function roleChoice(chosen: Role): Html {
  return html`<fieldset>
    <legend>Role</legend>
    ${roles.map(
      (role) => html`<label class="choice">
        <input type="radio" name="role" value="${role}" ${role === chosen && html`checked`} />
        <span>${role[0]?.toUpperCase()}${role.slice(1)}</span>
        <span class="hint">${roleMeanings[role]}</span>
      </label>`,
    )}
  </fieldset>`
}

export function invitePage(
  ask: MemberAsk,
  typed: { email?: string | undefined; role?: Role | undefined } = {},
  mistakes: Mistakes = {},
): Content {
  return {
    title: 'Invite someone',
    body: html`${head('Invite someone', {
      crumb: crumb(`${ask.place.home}/team`, 'Team'),
      lead: ask.dashboard.hasMailServer
        ? 'We’ll e-mail a link that works for seven days.'
        : 'No mail server is set up, so you’ll get a link to send. It works for seven days.',
    })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          ask.here,
          html`${idField(ask.fields, 'inv')}
            ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'off', value: typed.email }, mistakes)}
            ${roleChoice(typed.role ?? 'viewer')}
            <div><button class="go">Invite</button></div>`,
        )}
      </div>
      ${section('What each role can do', rightsOfRoles())}`,
  }
}

function rightsOfRoles(): Html {
  const mark = (role: Role, right: (typeof rightsTable)[number][1]): Html | string =>
    hasRight(role, right) ? html`<span aria-hidden="true">✓</span><span class="unseen">yes</span>` : ''
  return table<(typeof rightsTable)[number]>({
    label: 'What each role can do',
    rows: rightsTable,
    columns: [
      { label: 'Right', draw: ([what]) => what },
      ...roles.map((role) => ({
        label: `${role[0]?.toUpperCase() ?? ''}${role.slice(1)}`,
        draw: ([, right]: (typeof rightsTable)[number]) => mark(role, right),
      })),
    ],
  })
}

/** Without a mail server the link is shown once, to send by hand. */
export function invitationLinkPage(given: {
  readonly email: string
  readonly url: string
  readonly back: Html
}): Content {
  return {
    title: 'Send this link',
    body: html`${head('Send this link', {
      crumb: given.back,
      lead: 'No mail server is set up, so Florin can’t e-mail the invitation.',
    })}
      <div class="card stack once">
        <p>Send it to ${given.email}. It works once, for seven days, and you won’t see it again.</p>
        ${copyable(given.url, 'Invitation link')}
      </div>`,
  }
}

export function memberPage(ask: MemberAsk, member: Member, mistakes: Mistakes = {}): Content {
  const path = `${ask.place.home}/team/${member.personId}`
  return {
    title: member.name,
    body: html`${head(member.name, { crumb: crumb(`${ask.place.home}/team`, 'Team'), lead: member.email })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(ask, path, html`${roleChoice(member.role)}<div><button class="go">Save</button></div>`)}
        <p class="hint">They have to sign in again after a change of role.</p>
      </div>
      <div class="card form">
        <h2>Remove from the team</h2>
        <p class="quiet">${member.name} is signed out at once and loses all access to ${ask.place.merchant.name}.</p>
        <div>${press(ask, `${path}/do/remove`, 'Remove', {}, 'danger')}</div>
      </div>`,
  }
}

export function leavePage(ask: MemberAsk, mistakes: Mistakes = {}): Content {
  const { merchant, home } = ask.place
  return {
    title: 'Leave the team',
    body: html`${head('Leave the team', { crumb: crumb(`${home}/team`, 'Team') })}
      <div class="card form">
        ${problems(mistakes)}
        <p>You lose all access to ${merchant.name}. An owner can invite you again.</p>
        ${form(ask, ask.here, html`<div><button class="danger">Leave ${merchant.name}</button></div>`)}
      </div>`,
  }
}
