import { html, type Html } from '../../platform/http/html.ts'
import type { Content, PersonAsk } from '../ask.ts'
import { pill, table } from '../parts/lists.ts'
import { timeAgo, shopTime } from '../parts/parts.ts'
import { facts, section } from '../parts/things.ts'
import type { Health } from './health.ts'
import { installationHead } from './frame.ts'

export function healthPage(ask: PersonAsk, health: Health): Content {
  return {
    title: 'Health',
    body: html`${installationHead(ask, 'health')} ${troubles(health)} ${section('Pending work', work(health))}
    ${section('This process since it started', traffic(ask, health))} ${section('Processes', processes(ask, health))}
    ${section('Database', database(ask, health))} ${health.nodes.length > 0 && section('Nodes', nodes(health))}
    ${section('Settings', settings(ask))}`,
  }
}

function troubles({ troubles: found }: Health): Html {
  if (found.length === 0) return html`<p>${pill('healthy', 'good')}</p>`
  return html`<div class="problem" role="alert">
    <h2>Problems</h2>
    <ul>${found.map((trouble) => html`<li>${trouble}</li>`)}</ul>
  </div>`
}

const numbers = new Intl.NumberFormat('en-GB')

function shown(value: number | undefined): string {
  return value === undefined ? 'unknown' : numbers.format(value)
}

function work({ glance, late }: Health): Html {
  const { waiting, paused, overdueSeconds } = glance
  return facts([
    ['Deliveries waiting', shown(waiting)],
    ['Oldest is overdue by', describeOverdue(overdueSeconds)],
    ['Deliveries paused', describePaused(paused)],
    ['Charges with an unknown outcome', describeMerchants(late.attempts)],
    ['Payments past their deadline', describeMerchants(late.expiries)],
  ])
}

function describePaused(count: number | undefined): string {
  return count === 0
    ? 'none'
    : `${shown(count)}, until merchants resume their receivers and a mail server is set up`
}

function describeMerchants(count: number): string {
  if (count === 0) return 'none'
  return `at ${shown(count)} ${count === 1 ? 'merchant' : 'merchants'}`
}

function describeOverdue(seconds: number | undefined): string {
  if (seconds === undefined) return 'unknown'
  return seconds < 1 ? 'nothing' : formatTime(seconds)
}

function traffic(ask: PersonAsk, { glance }: Health): Html {
  const { requests, failed, p95Seconds, memoryBytes, startedAt, underAttack } = glance
  return facts([
    ['Version', `florin ${ask.dashboard.version}`],
    ['Started', startedAt && timeAgo(startedAt, shopTime(ask))],
    ['Requests', `${shown(requests)}, ${shown(failed)} failed (5xx)`],
    ['95% answered within', p95Seconds === undefined ? 'unknown' : formatTime(p95Seconds)],
    ['Memory', memoryBytes === undefined ? undefined : formatBytes(memoryBytes)],
    ['Merchants under a card-testing attack', shown(underAttack)],
  ])
}

function processes(ask: PersonAsk, { database: { processes: running } }: Health): Html {
  if (running.length === 0) return html`<p class="quiet">No process has reported yet.</p>`
  const now = shopTime(ask)
  return table<(typeof running)[number]>({
    label: 'Processes',
    columns: [
      { label: 'Role', draw: ({ role }) => role.replace(/^florin /, '') },
      { label: 'Version', draw: ({ version }) => version ?? 'unknown (older)' },
      { label: 'Since', draw: ({ since }) => (since === null ? 'unknown' : timeAgo(new Date(since), now)) },
    ],
    rows: running,
  })
}

function database(ask: PersonAsk, { database: found, unsafe, connections, backupAt }: Health): Html {
  const { version, bytes, migrations, missing, isNewer } = found
  const schema = isNewer
    ? 'from a newer Florin'
    : missing.length > 0
      ? `${missing.length} behind`
      : 'up to date'
  return facts([
    ['PostgreSQL', version],
    ['Size', formatBytes(bytes)],
    ['Schema', `${schema}, ${migrations} migrations`],
    ['Durable commits', unsafe.length === 0 ? 'yes' : `no: ${unsafe.join(' and ')} off`],
    ['Database connections', `${connections.busy} busy, ${connections.idle} idle`],
    [
      'Last backup',
      backupAt === undefined ? pill('none seen', 'warn') : timeAgo(new Date(backupAt), shopTime(ask)),
    ],
  ])
}

function nodes({ nodes: found }: Health): Html {
  return table<(typeof found)[number]>({
    label: 'Nodes',
    columns: [
      { label: 'Node', draw: ({ name }) => name },
      { label: 'State', draw: ({ isActive }) => (isActive ? pill('active', 'good') : pill('down', 'bad')) },
    ],
    rows: found,
  })
}

function settings(ask: PersonAsk): Html {
  const { baseUrl, hasMailServer } = ask.dashboard
  return facts([
    ['Address', html`${baseUrl} <span class="quiet small">BASE_URL</span>`],
    [
      'Sign-up',
      html`${ask.people.isSignUpOpen ? 'Open to anyone' : 'By invitation'} <span class="quiet small">SIGN_UP</span>`,
    ],
    [
      'Mail',
      html`${hasMailServer ? 'Sent' : html`${pill('waiting', 'warn')} Live e-mail is sent once you set up a mail server.`} <span class="quiet small">SMTP_URL</span>`,
    ],
  ])
}

function formatTime(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`
}

function formatBytes(bytes: number): string {
  return `${numbers.format(Math.max(1, Math.round(bytes / 1_000_000)))} MB`
}
