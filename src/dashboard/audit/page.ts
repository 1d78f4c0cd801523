import { html, type Html } from '../../platform/http/html.ts'
import type { EntryRow } from '../../core/audit/list-audit.ts'
import type { Ask, Content } from '../ask.ts'
import { emptyList, filters, pager, table } from '../parts/lists.ts'
import { form, head, timeAgo, shopTime } from '../parts/parts.ts'

// The audit log, newest first. Filters are in the URL.

export type AuditModel = {
  readonly entries: readonly EntryRow[]
  readonly names: ReadonlyMap<string, string>
  readonly filter: Readonly<Record<'what' | 'subject' | 'since' | 'until', string>>
  /** Links to the first page and to the next older page. */
  readonly newest: string | undefined
  readonly older: string | undefined
  readonly mayExport: boolean
  /** This page without filters. */
  readonly path: string
}

/** Groups of actions, by prefix. */
const groups: readonly (readonly [string, string])[] = [
  ['', 'Everything'],
  ['person.', 'Sign-in and accounts'],
  ['team.', 'Team'],
  ['key.', 'Keys'],
  ['webhook_secret.', 'Webhook secrets'],
  ['merchant.', 'Shop settings'],
  ['account.', 'Networks'],
  ['payment.', 'Payments'],
  ['refund.', 'Refunds'],
  ['link.', 'Links'],
  ['project.', 'Projects'],
  ['notifications.', 'Notifications'],
  ['receiver.', 'Receivers'],
  ['audit.', 'Audit log exports'],
]

export function auditPage(ask: Ask, model: AuditModel): Content {
  const { filter } = model
  return {
    title: 'Audit log',
    body: html`${head('Audit log', {
      lead: 'Who did what, and when. Entries can’t be changed or deleted.',
      ...(model.mayExport && { action: exportForm(ask, model) }),
    })}
      ${filters(
        model.path,
        [
          { name: 'what', label: 'What', value: filter.what, choices: groups },
          { name: 'subject', label: 'Subject', value: filter.subject },
          { name: 'since', label: 'From', type: 'date', value: filter.since },
          { name: 'until', label: 'To', type: 'date', value: filter.until },
        ],
        isFiltered(model),
      )}
      ${model.entries.length === 0 ? emptyLog(model) : list(ask, model)}
      ${pager(model.newest, model.older)}`,
  }
}

function exportForm(ask: Ask, { path, filter }: AuditModel): Html {
  const hidden = Object.entries(filter).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return form(ask, `${path}/do/export`, html`${hidden}<button class="plain">Export as CSV</button>`, 'press')
}

function isFiltered({ filter }: AuditModel): boolean {
  return Object.values(filter).some((value) => value !== '')
}

function emptyLog(model: AuditModel): Html {
  if (!isFiltered(model)) return emptyList('No entries yet', 'Every change your team makes appears here.')
  return emptyList(
    'No matching entries',
    'Nothing in the log matches these filters.',
    html`<a class="button plain" href="${model.path}">Clear filters</a>`,
  )
}

function list(ask: Ask, { entries, names }: AuditModel): Html {
  const now = shopTime(ask)
  return table<EntryRow>({
    label: 'Entries',
    rows: entries,
    columns: [
      { label: 'What', draw: ({ action }) => html`<strong>${describeAction(action)}</strong>` },
      { label: 'Subject', draw: ({ subject }) => names.get(subject) ?? html`<code>${subject}</code>` },
      { label: 'Change', draw: drawChange },
      {
        label: 'Who',
        draw: (entry) =>
          html`${describeActor(entry, names)} ${entry.address !== null && html`<br /><span class="quiet small figures">${entry.address}</span>`}`,
      },
      { label: 'When', draw: ({ at }) => html`<span class="quiet">${timeAgo(new Date(at), now)}</span>` },
    ],
  })
}

function drawChange(entry: EntryRow): Html | string {
  const changes = describeChange(entry)
  return changes.length === 0 ? '' : html`<span class="small">${changes}</span>`
}

function describeActor(
  { actor_kind: kind, actor }: EntryRow,
  names: ReadonlyMap<string, string>,
): Html | string {
  if (kind === 'person') return names.get(actor) ?? actor
  if (kind === 'system') return actor === 'customer' ? 'The customer' : 'Florin'
  return html`${kind === 'key' ? 'Key' : 'Command line'} <code>${actor}</code>`
}

/** person.totp_on becomes "Person: totp on". */
function describeAction(action: string): string {
  const known = labels[action]
  if (known !== undefined) return known
  const [subject = '', verb = ''] = action.split('.')
  const words = (text: string): string => text.replaceAll('_', ' ')
  const start = words(subject)
  return `${start.slice(0, 1).toUpperCase()}${start.slice(1)} ${words(verb)}`
}

const labels: Readonly<Record<string, string>> = {
  'person.signed_up': 'Signed up',
  'person.signed_in': 'Signed in',
  'person.signed_out': 'Signed out',
  'person.sign_in_link_made': 'Sign-in link created',
  'person.password_changed': 'Password changed',
  'person.email_changed': 'Address changed',
  'person.renamed': 'Name changed',
  'person.totp_on': 'App codes turned on',
  'person.totp_off': 'App codes turned off',
  'person.recovery_codes_drawn': 'Recovery codes created',
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

/** Only the fields that changed. */
function describeChange({ before, after }: EntryRow): Html[] {
  const old = (before ?? {}) as Record<string, unknown>
  const fresh = (after ?? {}) as Record<string, unknown>
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(fresh[name] ?? null),
  )
  return names.map((name) => {
    const label = name.replaceAll('_', ' ')
    const from = Object.hasOwn(old, name) ? `${describeValue(old[name])} → ` : ''
    return html`<span class="change"><span class="quiet">${label}:</span> ${from}${Object.hasOwn(fresh, name) ? describeValue(fresh[name]) : 'removed'}</span> `
  })
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
