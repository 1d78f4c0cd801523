import { beginningOf, endingOf } from '../list-filter.ts'
import type { MemberAsk } from '../ask.ts'

// The filters of the payment list, in the URL and in the export form.

export const filterNames = ['search', 'state', 'currency', 'from', 'to', 'project'] as const
export type Filter = Readonly<Record<(typeof filterNames)[number], string>>

const textMax = 400

export function readFilter(get: (name: string) => string | undefined): Filter {
  const text = (name: string): string => (get(name) ?? '').replaceAll('\0', '').trim().slice(0, textMax)
  return {
    search: text('search'),
    state: text('state'),
    currency: text('currency').toUpperCase(),
    from: text('from'),
    to: text('to'),
    project: text('project'),
  }
}

export function isFiltered(filter: Filter): boolean {
  return filterNames.some((name) => filter[name] !== '')
}

/** In the field names of the payments module; days are the shop's. Empty filters are left out. */
export function askedOf(filter: Filter, timeZone: string): Record<string, string> {
  const named = {
    search: filter.search,
    status: filter.state,
    currency: filter.currency,
    created_from: beginningOf(filter.from, timeZone),
    created_to: endingOf(filter.to, timeZone),
    project: filter.project,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''))
}

/** The page's field for a field of the payments module. */
export function fieldOf(name: string): string {
  if (name === 'status') return 'state'
  return name === 'created_from' ? 'from' : name === 'created_to' ? 'to' : name
}

export function listPath({ place }: MemberAsk): string {
  return `${place.home}/payments`
}

export function paymentPath(ask: MemberAsk, payment: { readonly number: string }): string {
  return `${listPath(ask)}/${payment.number}`
}
