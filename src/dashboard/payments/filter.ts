import { paymentGroups } from '../../core/payments/support/search-payments.ts'
import { beginningOf, endingOf } from '../list-filter.ts'
import type { MemberAsk } from '../ask.ts'

// The filters of the payment list, in the URL and in the export form.

export const filterNames = ['search', 'state', 'currency', 'by', 'from', 'to', 'project', 'why'] as const
export type Filter = Readonly<Record<(typeof filterNames)[number], string>>

const textMax = 400

export function readFilter(get: (name: string) => string | undefined): Filter {
  const text = (name: string): string => (get(name) ?? '').replaceAll('\0', '').trim().slice(0, textMax)
  return {
    search: text('search'),
    state: text('state'),
    currency: text('currency').toUpperCase(),
    by: dateKinds.find((kind) => kind === text('by')) ?? '',
    from: text('from'),
    to: text('to'),
    project: text('project'),
    why: text('why'),
  }
}

/** Which time the dates of the filter are about: `end` is when it was paid or ended, '' when it was created. */
export const dateKinds = ['end', 'reversed'] as const

export function isFiltered(filter: Filter): boolean {
  return filterNames.some((name) => name !== 'by' && filter[name] !== '')
}

/** In the field names of the payments module; days are the shop's. Empty filters are left out. */
export function askedOf(filter: Filter, timeZone: string): Record<string, string> {
  const isGroup = paymentGroups.some((group) => group === filter.state)
  const about = filter.by === 'end' ? 'ended' : filter.by === 'reversed' ? 'reversed' : 'created'
  const named = {
    search: filter.search,
    [isGroup ? 'group' : 'status']: filter.state,
    currency: filter.currency,
    [`${about}_from`]: beginningOf(filter.from, timeZone),
    [`${about}_to`]: endingOf(filter.to, timeZone),
    project: filter.project,
    why: filter.why,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''))
}

/** The page's field for a field of the payments module. */
export function fieldOf(name: string): string {
  if (name === 'status') return 'state'
  const [, end] = /^(?:created|ended|reversed)_(from|to)$/.exec(name) ?? []
  return end ?? name
}

export function listPath({ place }: MemberAsk): string {
  return `${place.home}/payments`
}

export function paymentPath(ask: MemberAsk, payment: { readonly number: string }): string {
  return `${listPath(ask)}/${payment.number}`
}
