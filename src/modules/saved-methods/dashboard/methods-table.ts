import { html, type Html } from '../../../platform/http/html.ts'
import type { MethodRow } from '../find-methods.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { shortened, table } from '../../../dashboard/parts/lists.ts'
import { shopTime, timeAgo } from '../../../dashboard/parts/parts.ts'
import { describeExpiry, describeLimit, methodPath, nameOfSaved, standingOfMethod } from './words.ts'

/** A customer's saved methods, on their page. */
export function methodsTable(ask: MemberAsk, rows: readonly MethodRow[]): Html {
  const now = shopTime(ask)
  return table<MethodRow>({
    label: 'Saved methods',
    rows,
    to: ({ id }) => methodPath(ask, id),
    columns: [
      { label: 'Method', draw: (method) => html`<span class="figures">${nameOfSaved(method)}</span>` },
      { label: 'State', draw: (method) => standingOfMethod(ask, method) },
      { label: 'Expires', draw: describeExpiry },
      { label: 'Most per day', draw: describeLimit, isFigure: true },
      { label: 'Your reference', draw: ({ customer_ref }) => shortened(customer_ref) },
      {
        label: 'Saved',
        draw: ({ saved_at }) => html`<span class="quiet">${timeAgo(new Date(saved_at), now)}</span>`,
      },
    ],
  })
}
