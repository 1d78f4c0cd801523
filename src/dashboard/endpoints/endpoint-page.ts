import { html, type Html } from '../../platform/http/html.ts'
import { allEvents, type Endpoint } from '../../core/notifications/endpoints/find-endpoints.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { overlapChoice } from '../keys/key-page.ts'
import { addressOf } from '../parts/lists.ts'
import { crumb, form, head, press, problems, formatExactly, type Mistakes, shopTime } from '../parts/parts.ts'
import { copyable, facts } from '../parts/things.ts'
import { receiverStyles } from '../receivers/receivers-page.ts'
import { endpointPill, endpointsAt } from './endpoints-page.ts'

// One endpoint: its status and actions.

export function endpointAt(ask: MemberAsk, id: string): string {
  return `${endpointsAt(ask)}/${id}`
}

const nameOf = ({ url }: Endpoint): string => url ?? 'florin listen'

export function endpointPage(ask: MemberAsk, endpoint: Endpoint): Content {
  const { url, events, description } = endpoint
  const notifications = `${ask.place.home}/notifications`
  return {
    title: nameOf(endpoint),
    styles: receiverStyles,
    body: html`${head(nameOf(endpoint), {
      crumb: crumb(endpointsAt(ask), 'Endpoints'),
      action: html`<nav class="actions" aria-label="Actions">${actions(ask, endpoint)}</nav>`,
    })}
      ${endpointNotice(endpoint)}
      ${facts([
        ['Status', endpointPill(endpoint)],
        ['Failing since', exactly(ask, endpoint.failing_since)],
        ['Paused', exactly(ask, endpoint.paused_at)],
        ['Description', description === '' ? undefined : description],
        ['Events', events.includes(allEvents) ? 'All, including ones added later' : events.join(', ')],
        ['Secret', url === null ? undefined : html`<code>whsec_…</code> (shown once, when created)`],
        ['Created', formatExactly(new Date(endpoint.created_at), shopTime(ask))],
        ['ID', html`<code>${endpoint.id}</code>`],
        [
          'Sent',
          url === null
            ? undefined
            : html`<a href="${addressOf(`${notifications}/sent`, { receiver: url })}">Every notification to this URL</a>`,
        ],
      ])}`,
  }
}

function exactly(ask: MemberAsk, at: string | null): string | undefined {
  return at === null ? undefined : formatExactly(new Date(at), shopTime(ask))
}

function actions(ask: MemberAsk, { id, url, status }: Endpoint): (Html | false)[] {
  const at = endpointAt(ask, id)
  if (url === null || !hasRight(ask.place.role, 'receivers.change')) return []
  return [
    press(ask, `${at}/do/test`, 'Send a test'),
    html`<a class="button plain" href="${at}/edit">Edit</a>`,
    html`<a class="button plain" href="${at}/roll">Roll secret</a>`,
    status === 'paused'
      ? press(ask, `${at}/do/resume`, 'Resume', {}, 'go')
      : press(ask, `${at}/do/pause`, 'Pause'),
    html`<a class="button plain" href="${at}/delete">Delete</a>`,
  ]
}

function endpointNotice({ status }: Endpoint): Html | undefined {
  if (status === 'paused')
    return html`<div class="problem">
      <h2>Nothing is sent here</h2>
      <p>Notifications wait, and are sent when you resume this endpoint. None are lost.</p>
    </div>`
  if (status === 'failing')
    return html`<p class="quiet">
      Florin tries each notification ten times over three days. If everything fails for 120 hours, it pauses this URL and
      e-mails you.
    </p>`
  if (status === 'listening')
    return html`<p class="quiet">
      Someone is running <code>florin listen</code>. This endpoint disappears when they stop it.
    </p>`
  return undefined
}

/** Shown once, after the endpoint was created or its secret rolled. */
export function secretPage(ask: MemberAsk, { id, secret }: { id: string; secret: string }): Content {
  return {
    title: 'Endpoint secret',
    body: html`${head('Endpoint secret', {
      crumb: crumb(endpointAt(ask, id), 'Endpoint'),
      lead: 'Copy it now. You won’t see it again; if you lose it, roll it.',
    })}
      <div class="card stack once">
        <div class="field">
          <h2>Secret</h2>
          <p class="hint">Your server uses it to verify notifications to this endpoint.</p>
          ${copyable(secret, 'Secret')}
        </div>
        <div class="actions">
          <a class="button go" href="${endpointAt(ask, id)}">Done</a>
          <a class="button plain" href="${ask.dashboard.prefix}/docs/notifications#verify">How to verify a signature</a>
        </div>
      </div>`,
  }
}

export function rollSecretPage(ask: MemberAsk, endpoint: Endpoint, mistakes: Mistakes = {}): Content {
  const at = endpointAt(ask, endpoint.id)
  return {
    title: 'Roll secret',
    body: html`${head('Roll secret', { crumb: crumb(at, 'Endpoint') })}
      <div class="card form">
        ${problems(mistakes)}
        <p>
          You get a new secret. During the overlap, notifications carry both signatures, so your server accepts them
          while you switch.
        </p>
        ${form(
          ask,
          `${at}/roll`,
          html`${overlapChoice('Keep the old secret')}
            <div><button class="go">Roll secret</button></div>`,
        )}
      </div>`,
  }
}

export function deletePage(ask: MemberAsk, endpoint: Endpoint): Content {
  const at = endpointAt(ask, endpoint.id)
  return {
    title: 'Delete endpoint',
    styles: receiverStyles,
    body: html`${head('Delete endpoint?', { crumb: crumb(at, 'Endpoint') })}
      <div class="card form">
        <p>
          ${nameOf(endpoint)} gets no more notifications, and those waiting for it are never sent. To hold them back for a
          while, pause it instead.
        </p>
        ${form(ask, `${at}/delete`, html`<div><button class="danger">Delete</button></div>`)}
      </div>`,
  }
}
