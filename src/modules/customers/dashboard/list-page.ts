import { html, type Html } from '../../../platform/http/html.ts'
import type { CustomerPage, CustomerSum, CustomerSummary } from '../customers.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import {
  addressOf,
  amount,
  emptyList,
  filters,
  pager,
  pill,
  shortened,
  table,
} from '../../../dashboard/parts/lists.ts'
import { head, shopTime, timeAgo } from '../../../dashboard/parts/parts.ts'

// Customers by their latest payment. A search goes to the payments: it finds names, addresses and parts of them.

export function customerPath({ place }: Pick<MemberAsk, 'place'>, email: string): string {
  return addressOf(`${place.home}/customers/one`, { email })
}

export function customersPage(ask: MemberAsk, page: CustomerPage, isFirstPage: boolean): Content {
  const path = `${ask.place.home}/customers`
  return {
    title: 'Customers',
    body: html`${head('Customers', { lead: 'One per e-mail address, by their latest payment.' })}
      ${filters(
        `${ask.place.home}/payments`,
        [
          {
            name: 'search',
            label: 'Find by name or e-mail',
            value: '',
            hint: 'Any part, with or without accents',
          },
        ],
        false,
      )}
      ${page.customers.length === 0 ? nothing(isFirstPage) : list(ask, page.customers)}
      ${pager(
        isFirstPage ? undefined : path,
        page.nextCursor === null ? undefined : addressOf(path, { cursor: page.nextCursor }),
      )}`,
  }
}

function list(ask: MemberAsk, customers: readonly CustomerSummary[]): Html {
  const now = shopTime(ask)
  return table<CustomerSummary>({
    label: 'Customers',
    rows: customers,
    to: ({ email }) => customerPath(ask, email),
    columns: [
      {
        label: 'Customer',
        draw: ({ first_name, last_name, email }) =>
          html`${shortened(`${first_name} ${last_name}`.trim())}<br /><span class="quiet small">${shortened(email)}</span>`,
      },
      { label: 'Paid', draw: ({ sums }) => describePaid(sums), isFigure: true },
      { label: 'Payments', draw: ({ sums }) => countPayments(sums), isFigure: true },
      {
        label: 'Disputes',
        draw: ({ sums }) => (sums.some(({ disputed }) => disputed > 0) ? pill('disputed', 'warn') : ''),
      },
      {
        label: 'Latest payment',
        draw: ({ created_at }) => html`<span class="quiet">${timeAgo(new Date(created_at), now)}</span>`,
      },
    ],
  })
}

/** In each currency. */
export function describePaid(sums: readonly CustomerSum[]): Html | string {
  const paid = sums.filter((sum) => sum.paid > 0)
  if (paid.length === 0) return '–'
  return html`${paid.map(({ paid_minor, currency }, place) => html`${place > 0 && html`<br />`}${amount(paid_minor, currency)}`)}`
}

function countPayments(sums: readonly CustomerSum[]): string {
  return sums.reduce((count, { payments }) => count + payments, 0).toLocaleString('en-GB')
}

function nothing(isFirstPage: boolean): Html {
  return isFirstPage
    ? emptyList('No customers yet', 'A customer appears here with their first payment.')
    : emptyList('No more customers', 'This was the last page.')
}
