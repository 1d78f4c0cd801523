import { html, type Html } from '../../../platform/http/html.ts'
import type { LinkFilter, LinkPage, LinkRow } from '../find-links.ts'
import { linkStates, type LinkState } from '../link-state.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { choiceIn, textIn } from '../../../dashboard/list-filter.ts'
import {
  addressOf,
  amount,
  emptyList,
  filters,
  pager,
  shortened,
  table,
  type Choice,
} from '../../../dashboard/parts/lists.ts'
import { head, timeAgo, shopTime } from '../../../dashboard/parts/parts.ts'
import { askedAmount, linkAt, linksOf, paidOf, stateOf, styles } from './pages.ts'

// A shop's links in one mode, newest first. Filters are in the URL.

const searchMax = 100

export function filterOf({ query }: MemberAsk): LinkFilter {
  return {
    search: textIn(query, 'search', searchMax),
    state: choiceIn(query, 'state', linkStates),
    kind: choiceIn(query, 'kind', ['single', 'reusable'] as const),
  }
}

export function linksPage(ask: MemberAsk, filter: LinkFilter, { links, nextCursor }: LinkPage): Content {
  const path = linksOf(ask)
  const mayChange = hasRight(ask.place.role, 'links.change')
  const isFirst = ask.query['cursor'] === undefined
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const isEmpty = links.length === 0 && isFirst && !isFiltered
  const create = html`<a class="button go" href="${path}/new">New link</a>`
  return {
    title: 'Links',
    styles,
    body: html`${head('Links', {
      lead: 'Take payments without code: send a link, or print its QR code.',
      ...(mayChange && !isEmpty && { action: create }),
    })}
    ${!isEmpty && filters(path, looks(filter), isFiltered)}
    ${
      isEmpty
        ? emptyList(
            'No links yet',
            'Use a link for one payment from one customer, or print it and take many.',
            mayChange ? create : undefined,
          )
        : links.length === 0
          ? emptyList(
              isFiltered ? 'No matching links' : 'No older links',
              isFiltered ? 'Search by any part of the name.' : 'You’ve seen them all.',
              html`<a class="button plain" href="${path}">Show all</a>`,
            )
          : list(ask, links)
    }
    ${pager(
      isFirst ? undefined : addressOf(path, filter),
      nextCursor === undefined ? undefined : addressOf(path, { ...filter, cursor: nextCursor }),
    )}`,
  }
}

const stateNames: Readonly<Record<LinkState, string>> = {
  open: 'Open',
  paused: 'Paused',
  ended: 'Ended',
  all_taken: 'Being paid',
  sold_out: 'Paid or sold out',
}

const kinds: readonly Choice[] = [
  ['', 'All'],
  ['single', 'One payment'],
  ['reusable', 'Many payments'],
]

function looks({ search, state, kind }: LinkFilter) {
  const states = linkStates.map((one): Choice => [one, stateNames[one]])
  return [
    { name: 'search', label: 'Name contains', value: search },
    { name: 'state', label: 'State', value: state, choices: [['', 'All'] as const, ...states] },
    { name: 'kind', label: 'Kind', value: kind, choices: kinds },
  ]
}

function list(ask: MemberAsk, links: readonly LinkRow[]): Html {
  const now = shopTime(ask)
  return table<LinkRow>({
    label: 'Links',
    rows: links,
    to: ({ id }) => linkAt(ask, id),
    columns: [
      { label: 'For', draw: ({ title }) => shortened(title) },
      { label: 'State', draw: (link) => stateOf(link, now) },
      { label: 'Created', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
      { label: 'Amount', isFigure: true, draw: askedAmount },
      { label: 'Paid', isFigure: true, draw: paidOf },
      {
        label: 'Received',
        isFigure: true,
        draw: ({ paid_minor, currency }) => amount(paid_minor, currency),
      },
    ],
  })
}
