import { html, type Html } from '../../platform/http/html.ts'
import { endpointsMax } from '../../core/notifications/endpoints/change-endpoints.ts'
import { allEvents, type Endpoint } from '../../core/notifications/endpoints/find-endpoints.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { emptyList, pill, shortened, table, type Tone } from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { areaTabs, receiverStyles } from '../receivers/receivers-page.ts'

// URLs that get notifications of every payment, besides each payment's own callback_url.

export const endpointsAt = ({ place }: MemberAsk): string => `${place.home}/notifications/endpoints`

export function endpointsPage(ask: MemberAsk, endpoints: readonly Endpoint[]): Content {
  const isFull = endpoints.filter(({ url }) => url !== null).length >= endpointsMax
  const mayAdd = hasRight(ask.place.role, 'receivers.change') && !isFull
  const action = mayAdd && endpoints.length > 0 ? addButton(ask) : undefined
  return {
    title: 'Endpoints',
    styles: receiverStyles,
    body: html`${head('Notifications', {
      lead: 'Notifications sent to your server, and its responses.',
      ...(action && { action }),
    })}
      ${areaTabs(ask, 'endpoints')}
      ${endpoints.length === 0 ? nothing(ask, mayAdd) : list(ask, endpoints)}
      ${isFull && html`<p class="quiet">You have reached the limit of ten endpoints in ${ask.place.mode} mode. Delete one to add another.</p>`}`,
  }
}

function addButton(ask: MemberAsk): Html {
  return html`<a class="button go" href="${endpointsAt(ask)}/new">Add endpoint</a>`
}

function list(ask: MemberAsk, endpoints: readonly Endpoint[]): Html {
  const now = shopTime(ask)
  return table({
    label: 'Endpoints',
    rows: endpoints,
    to: ({ id }) => `${endpointsAt(ask)}/${id}`,
    columns: [
      { label: 'URL', draw: ({ url }) => (url === null ? 'florin listen' : shortened(url)) },
      { label: 'Status', draw: endpointPill },
      { label: 'Events', draw: listEvents },
      { label: 'Description', draw: ({ description }) => description },
      { label: 'Created', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
  })
}

const tones: Readonly<Record<Endpoint['status'], Tone>> = {
  active: 'good',
  listening: 'good',
  failing: 'bad',
  paused: 'warn',
}

export function endpointPill({ status }: Endpoint): Html {
  return pill(status, tones[status])
}

export function listEvents({ events }: Endpoint): string {
  if (events.includes(allEvents)) return 'All'
  return events.length === 1 ? (events[0] ?? '') : `${events.length} events`
}

function nothing(ask: MemberAsk, mayAdd: boolean): Html {
  return emptyList(
    'No endpoints yet',
    'An endpoint is a URL on your server that gets notifications of every payment, with or without a callback_url.',
    mayAdd ? addButton(ask) : undefined,
  )
}
