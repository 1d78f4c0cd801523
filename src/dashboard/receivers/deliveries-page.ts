import { html, type Html } from '../../platform/http/html.ts'
import { deliveryStates, type DeliveryState } from '../../core/notifications/bulk/delivery-filter.ts'
import { namesOf } from '../../core/notifications/events.ts'
import type { DeliveryPage, ListedDelivery } from '../../core/notifications/receivers/browse-deliveries.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { choiceIn, dayIn, textIn } from '../list-filter.ts'
import {
  addressOf,
  deliveryPill,
  deliveryWord,
  emptyList,
  filters,
  pager,
  shortened,
  table,
} from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { areaTabs, testButton } from './receivers-page.ts'

// Notifications, sent or waiting, newest first.

export type DeliveryFilter = {
  readonly receiver: string
  readonly state: DeliveryState | ''
  readonly event: string
  readonly from: string
  readonly to: string
}

export function deliveryFilterIn({ query, dashboard }: MemberAsk): DeliveryFilter {
  return {
    receiver: textIn(query, 'receiver', 2_048),
    state: choiceIn(query, 'state', deliveryStates),
    event: choiceIn(query, 'event', namesOf(dashboard.events)),
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
  }
}

type Model = DeliveryPage & {
  readonly filter: DeliveryFilter
  readonly isFirst: boolean
  /** By payment number. */
  readonly txRefs: ReadonlyMap<string, string>
}

export function deliveriesPage(ask: MemberAsk, model: Model): Content {
  const { deliveries, filter, nextCursor, isCutShort } = model
  const path = `${ask.place.home}/notifications/sent`
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const action = testButton(ask)
  return {
    title: 'Notifications',
    body: html`${head('Notifications', {
      lead: 'Notifications sent to your server, and its responses.',
      ...(action && { action }),
    })}
      ${areaTabs(ask, 'sent')}
      ${(isFiltered || deliveries.length > 0) && search(ask, path, filter, isFiltered)}
      ${deliveries.length === 0 ? nothing(path, isFiltered, isCutShort) : list(ask, deliveries, model.txRefs)}
      ${isCutShort && deliveries.length > 0 && html`<p class="quiet">There may be older matches.</p>`}
      ${pager(
        model.isFirst ? undefined : addressOf(path, filter),
        nextCursor === undefined ? undefined : addressOf(path, { ...filter, cursor: nextCursor }),
      )}`,
  }
}

/** Only e-mail is ever skipped. */
const shownStates = deliveryStates.filter((state) => state !== 'skipped')

function search(ask: MemberAsk, path: string, filter: DeliveryFilter, isFiltered: boolean): Html {
  return filters(
    path,
    [
      { name: 'receiver', label: 'Receiver', value: filter.receiver },
      {
        name: 'state',
        label: 'State',
        value: filter.state,
        choices: [
          ['', 'Any'],
          ...shownStates.map((state) => [state, deliveryWord({ kind: 'ipn', state })] as const),
        ],
      },
      {
        name: 'event',
        label: 'Event',
        value: filter.event,
        choices: [['', 'Any'], ...ask.dashboard.events.map(({ name }) => [name, name] as const)],
      },
      { name: 'from', label: 'From', type: 'date', value: filter.from },
      { name: 'to', label: 'To', type: 'date', value: filter.to },
    ],
    isFiltered,
  )
}

function list(ask: MemberAsk, deliveries: readonly ListedDelivery[], txRefs: Model['txRefs']): Html {
  const now = shopTime(ask)
  return table({
    label: 'Notifications',
    rows: deliveries,
    to: ({ id }) => `${ask.place.home}/notifications/sent/${id}`,
    columns: [
      { label: 'Event', draw: ({ event }) => event },
      {
        label: 'Payment',
        draw: ({ number }) => {
          const txRef = txRefs.get(number ?? '')
          return txRef === undefined ? '' : shortened(txRef, `${ask.place.home}/payments/${number ?? ''}`)
        },
      },
      { label: 'State', draw: ({ state }) => deliveryPill({ kind: 'ipn', state }) },
      { label: 'Last response', draw: lastAnswer },
      { label: 'To', draw: ({ target }) => shortened(target) },
      { label: 'When', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
  })
}

function lastAnswer(delivery: ListedDelivery): string {
  if (delivery.target === '') return 'No callback_url'
  return delivery.status === null && delivery.error === null ? '' : describeTry(delivery).what
}

function nothing(path: string, isFiltered: boolean, isCutShort: boolean): Html {
  if (isCutShort) return emptyList('No recent matches', 'There may be older ones.')
  return isFiltered
    ? emptyList(
        'No matching notifications',
        'No notification matches these filters.',
        html`<a class="button plain" href="${path}">Show all</a>`,
      )
    : emptyList(
        'No notifications yet',
        'Every notification appears here, with each attempt and its response.',
      )
}
