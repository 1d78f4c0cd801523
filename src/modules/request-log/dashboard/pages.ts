import { html, type Html } from '../../../platform/http/html.ts'
import type { KeySummary } from '../../../core/merchants/list.ts'
import type { LoggedRequest, RequestFilter, RequestLine } from '../list-requests.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { isLiving, keyState } from '../../../dashboard/keys/keys-page.ts'
import { codeStyles, codeToCopy } from '../../../dashboard/parts/code.ts'
import {
  emptyList,
  filters,
  pager,
  pill,
  table,
  type Choice,
  type Tone,
} from '../../../dashboard/parts/lists.ts'
import { crumb, head, timeAgo, shopTime } from '../../../dashboard/parts/parts.ts'
import { facts, section } from '../../../dashboard/parts/things.ts'

// Recent API requests of this mode, and one request.

export type RequestsModel = {
  readonly lines: readonly RequestLine[]
  readonly filter: RequestFilter
  readonly keys: readonly KeySummary[]
  readonly isFiltered: boolean
  readonly newest: string | undefined
  readonly older: string | undefined
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function requestsPage(ask: MemberAsk, model: RequestsModel): Content {
  const path = `${ask.place.home}/requests`
  const { requestLogDays: days } = ask.dashboard
  const { filter } = model
  const keys: Choice[] = model.keys.map(({ id, name, hint }) => [id, `${name} (${hint})`])
  return {
    title: 'Request log',
    styles: [codeStyles],
    body: html`${head('Request log', {
      lead: `API calls and form posts from the last ${days === 1 ? 'day' : `${days} days`}.`,
    })}
      ${
        days > 0 &&
        filters(
          path,
          [
            {
              name: 'outcome',
              label: 'Response',
              value: filter.outcome,
              choices: [
                ['', 'Any'],
                ['success', 'Success'],
                ['refused', 'Refused (4xx)'],
                ['failed', 'Failed (5xx)'],
              ],
            },
            {
              name: 'method',
              label: 'Method',
              value: filter.method,
              choices: [['', 'Any'], ...methods.map((one): Choice => [one, one])],
            },
            { name: 'path', label: 'Path contains', value: filter.path, autocomplete: 'off' },
            { name: 'key', label: 'Key', value: filter.keyId, choices: [['', 'Any'], ...keys] },
            { name: 'request', label: 'Request id', autocomplete: 'off' },
          ],
          model.isFiltered,
        )
      }
      ${model.lines.length === 0 ? nothing(ask, model) : lines(ask, model)}
      ${pager(model.newest, model.older)}
      ${days > 0 && html`<p class="quiet small">At high traffic Florin keeps a sample, and more of the refused requests. Keys, secrets, cards, names and addresses are hidden.</p>`}`,
  }
}

function nothing(ask: MemberAsk, { isFiltered, older }: RequestsModel): Html {
  if (ask.dashboard.requestLogDays === 0)
    return emptyList('The request log is off', 'The operator of this Florin has turned it off.')
  if (older !== undefined)
    return emptyList('No recent matches', 'None of the latest requests match. Older ones may.')
  if (isFiltered) return emptyList('No matching requests', 'No request in the log matches these filters.')
  return emptyList(
    'No requests yet',
    'Every request with one of your keys appears here within a second.',
    html`<a class="button plain" href="${ask.place.home}/keys/new">Create a key</a>`,
  )
}

function lines(ask: MemberAsk, model: RequestsModel): Html {
  const now = shopTime(ask)
  const keys = new Map(model.keys.map((key) => [key.id, key]))
  const nameOf = (id: string): Html | string => {
    const key = keys.get(id)
    if (!key) return html`<code>${id}</code>`
    return isLiving(key, now) ? key.name : html`${key.name} ${keyState(key, now)}`
  }
  return table({
    label: 'Requests',
    rows: model.lines,
    to: ({ request_id: id }) => `${ask.place.home}/requests/${encodeURIComponent(id)}`,
    columns: [
      { label: 'Request', draw: (row) => html`<code>${row.method} ${shortened(row.path)}</code>` },
      { label: 'Response', draw: ({ status }) => statusPill(status) },
      { label: 'Key', draw: ({ key_id: id }) => nameOf(id) },
      { label: 'Took', isFigure: true, draw: ({ duration_us: us }) => formatDuration(us) },
      { label: 'When', isFigure: true, draw: ({ at }) => timeAgo(new Date(at), now) },
    ],
  })
}

function shortened(path: string): string {
  return path.length > 60 ? `${path.slice(0, 60)}…` : path
}

function statusPill(status: number): Html {
  const tone: Tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'
  return pill(String(status), tone)
}

function formatDuration(us: number): string {
  return us < 100_000 ? `${(us / 1000).toFixed(1)} ms` : `${Math.round(us / 1000)} ms`
}

export function requestPage(ask: MemberAsk, one: LoggedRequest, keys: readonly KeySummary[]): Content {
  const { home } = ask.place
  const key = keys.find(({ id }) => id === one.key_id)
  return {
    title: `${one.method} ${shortened(one.path)}`,
    styles: [codeStyles],
    body: html`${head(`${one.method} ${shortened(one.path)}`, { crumb: crumb(`${home}/requests`, 'Request log') })}
      ${facts([
        ['Response', statusPill(one.status)],
        ['When', timeAgo(new Date(one.at), shopTime(ask))],
        ['Took', formatDuration(one.duration_us)],
        ['Path', html`<code>${one.path}</code>`],
        ['Request id', html`<code>${one.request_id}</code>`],
        [
          'Key',
          key
            ? html`<a href="${home}/keys/${key.id}">${key.name}</a> <code>${key.hint}</code> ${keyState(key, shopTime(ask))}`
            : one.key_id,
        ],
      ])}
      ${one.warnings !== null && section('Warnings', html`<ul>${one.warnings.split('\n').map((each) => html`<li>${each}</li>`)}</ul>`)}
      ${section('Request body', body('sent', one.request_body, 'None, or not readable.'))}
      ${section('Response body', body('answered', one.answer_body, 'Not JSON: a page, a file or a redirect.'))}`,
  }
}

function body(id: string, text: string | null, without: string): Html {
  return text === null || text === ''
    ? html`<p class="quiet">${without}</p>`
    : codeToCopy(id, 'Body', inLines(text))
}

/** Indented JSON. A body that was cut off isn't JSON and stays as it is. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
