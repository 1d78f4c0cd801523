import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import { countedMax, type Receiver } from '../../core/notifications/receivers/list-receivers.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, emptyList, pill, table } from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { tabs } from '../parts/things.ts'

// The list of receivers, and the tabs of this area.

export const receiverStyles = [readStylesheet(new URL('./receivers.css', import.meta.url))]

export function areaTabs({ place }: MemberAsk, here: 'receivers' | 'endpoints' | 'sent'): Html {
  const path = `${place.home}/notifications`
  return tabs('Notifications', [
    { label: 'Receivers', to: path, isHere: here === 'receivers' },
    { label: 'Endpoints', to: `${path}/endpoints`, isHere: here === 'endpoints' },
    { label: 'Sent', to: `${path}/sent`, isHere: here === 'sent' },
  ])
}

export function testButton({ place }: MemberAsk, to?: string): Html | undefined {
  if (!hasRight(place.role, 'receivers.change')) return undefined
  return html`<a class="button plain" href="${addressOf(`${place.home}/notifications/test`, { to })}">Send a test</a>`
}

export function receiversPage(ask: MemberAsk, receivers: readonly Receiver[]): Content {
  const action = testButton(ask)
  return {
    title: 'Notifications',
    styles: receiverStyles,
    body: html`${head('Notifications', {
      lead: 'Notifications sent to your server, and its responses.',
      ...(action && { action }),
    })}
      ${areaTabs(ask, 'receivers')} ${receivers.length === 0 ? nothing(ask) : list(ask, receivers)}`,
  }
}

function list(ask: MemberAsk, receivers: readonly Receiver[]): Html {
  const now = shopTime(ask)
  const at = (time: string | null): Html | string => (time === null ? '' : timeAgo(new Date(time), now))
  return table({
    label: 'Receivers',
    rows: receivers,
    to: ({ origin }) => addressOf(`${ask.place.home}/notifications/receiver`, { origin }),
    columns: [
      { label: 'Receiver', draw: ({ origin }) => origin },
      { label: 'State', draw: receiverPill },
      { label: 'Last', draw: ({ lastAt }) => at(lastAt) },
      { label: 'Waiting since', draw: ({ oldest_at }) => at(oldest_at) },
      { label: 'Waiting', draw: ({ waiting, paused }) => counted(waiting + paused), isFigure: true },
      { label: 'Failed', draw: ({ failed }) => counted(failed), isFigure: true },
    ],
  })
}

export function receiverPill({ state }: Receiver): Html {
  return pill(state, ({ works: 'good', failing: 'bad', paused: 'warn' } as const)[state])
}

/** “1,000+” beyond the counting limit. */
export function counted(count: number): string {
  return count > countedMax ? `${countedMax.toLocaleString('en-GB')}+` : String(count)
}

function nothing(ask: MemberAsk): Html {
  return emptyList(
    'No receivers yet',
    'Create a payment with a callback_url, and Florin notifies that server of every change. It appears here with its first notification.',
    html`<a class="button plain" href="${ask.dashboard.prefix}/docs/notifications">How notifications work</a>`,
  )
}
