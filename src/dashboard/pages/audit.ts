import { html, type Html } from '../../http/html.ts'
import type { EntryRow } from '../../merchants/audit/list-audit.ts'
import type { Ask, Content } from '../ask.ts'
import { field, form, head, timeAgo } from './parts.ts'

// The audit log: who did what, newest first. What is looked for stands in the address.

export type AuditModel = {
  readonly entries: readonly EntryRow[]
  readonly names: ReadonlyMap<string, string>
  readonly filter: Readonly<Record<'what' | 'subject' | 'since' | 'until', string>>
  /** The page with what happened before. */
  readonly older: string | undefined
  readonly mayExport: boolean
  /** Where this page is, without what is looked for. */
  readonly path: string
}

/** Groups of acts, by how they begin. */
const groups: readonly (readonly [string, string])[] = [
  ['', 'Everything'],
  ['person.', 'Signing in, and own accounts'],
  ['team.', 'Team'],
  ['key.', 'Keys'],
  ['webhook_secret.', 'Webhook secrets'],
  ['merchant.', 'Settings of the shop'],
  ['payment.', 'Payments'],
  ['project.', 'Projects'],
  ['notifications.', 'Notifications'],
  ['audit.', 'Exports of this log'],
]

export function auditPage(ask: Ask, model: AuditModel): Content {
  const { filter } = model
  return {
    title: 'Audit log',
    body: html`${head('Audit log', {
      lead: 'Who did what. Entries can be added and never changed.',
      ...(model.mayExport && { action: exportForm(ask, model) }),
    })}
      <form class="filters" method="get" action="${model.path}">
        <div class="field">
          <label for="what">What</label>
          <select id="what" name="what">
            ${groups.map(
              ([start, label]) =>
                html`<option value="${start}" ${start === filter.what && html`selected`}>${label}</option>`,
            )}
          </select>
        </div>
        ${field({ name: 'subject', label: 'On what', value: filter.subject }, {})}
        ${field({ name: 'since', label: 'From', type: 'date', value: filter.since }, {})}
        ${field({ name: 'until', label: 'To', type: 'date', value: filter.until }, {})}
        <button class="plain">Show</button>
      </form>
      ${model.entries.length === 0 ? emptyLog(model) : table(ask, model)}
      ${model.older !== undefined && html`<p><a class="button plain" href="${model.older}">Older</a></p>`}`,
  }
}

function exportForm(ask: Ask, { path, filter }: AuditModel): Html {
  const hidden = Object.entries(filter).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return form(ask, `${path}/do/export`, html`${hidden}<button class="plain">Export as CSV</button>`, 'press')
}

function emptyLog({ filter, path }: AuditModel): Html {
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return html`<div class="card empty">
    <h2>Nothing here</h2>
    <p class="quiet">
      ${isFiltered ? 'Nothing like this happened in that time.' : 'Whatever somebody changes appears here.'}
    </p>
    ${isFiltered && html`<a class="button plain" href="${path}">Show everything</a>`}
  </div>`
}

function table(ask: Ask, { entries, names }: AuditModel): Html {
  const now = ask.people.now()
  return html`<div class="scroll" role="region" aria-label="Entries" tabindex="0">
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">On what</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map(
          (entry) => html`<tr>
            <td class="quiet">${timeAgo(new Date(entry.at), now)}</td>
            <td>
              ${sayWho(entry, names)}
              ${entry.address !== null && html`<br /><span class="quiet small figures">${entry.address}</span>`}
            </td>
            <td><strong>${sayAction(entry.action)}</strong></td>
            <td>${names.get(entry.subject) ?? html`<code>${entry.subject}</code>`}</td>
            <td class="small">${sayChange(entry)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function sayWho({ actor_kind: kind, actor }: EntryRow, names: ReadonlyMap<string, string>): Html | string {
  if (kind === 'person') return names.get(actor) ?? actor
  if (kind === 'system') return 'Florin itself'
  return html`${kind === 'key' ? 'Key' : 'Command line'} <code>${actor}</code>`
}

/** person.totp_on becomes "Person: totp on". */
function sayAction(action: string): string {
  const known = said[action]
  if (known !== undefined) return known
  const [subject = '', verb = ''] = action.split('.')
  const words = (text: string): string => text.replaceAll('_', ' ')
  const start = words(subject)
  return `${start.slice(0, 1).toUpperCase()}${start.slice(1)} ${words(verb)}`
}

const said: Readonly<Record<string, string>> = {
  'person.signed_up': 'Signed up',
  'person.signed_in': 'Signed in',
  'person.signed_out': 'Signed out',
  'person.sign_in_link_made': 'Sign-in link made',
  'person.password_changed': 'Password changed',
  'person.email_changed': 'Address changed',
  'person.renamed': 'Name changed',
  'person.totp_on': 'App codes switched on',
  'person.totp_off': 'App codes switched off',
  'person.recovery_codes_drawn': 'Recovery codes drawn',
  'person.recovery_code_used': 'Recovery code used',
  'person.passkey_added': 'Passkey added',
  'person.passkey_removed': 'Passkey removed',
  'person.sessions_ended': 'Sessions ended',
  'team.invited': 'Invited',
  'team.invitation_withdrawn': 'Invitation withdrawn',
  'team.joined': 'Joined the team',
  'team.role_changed': 'Role changed',
  'team.removed': 'Removed from the team',
  'team.left': 'Left the team',
  'audit.exported': 'Audit log exported',
}

function sayChange({ before, after }: EntryRow): Html[] {
  const old = (before ?? {}) as Record<string, unknown>
  const fresh = (after ?? {}) as Record<string, unknown>
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  return names.map((name) => {
    const label = name.replaceAll('_', ' ')
    const from = Object.hasOwn(old, name) ? `${sayValue(old[name])} → ` : ''
    return html`<span class="quiet">${label}:</span> ${from}${Object.hasOwn(fresh, name) ? sayValue(fresh[name]) : 'gone'}<br />`
  })
}

function sayValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
