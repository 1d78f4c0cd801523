import { html, type Html } from '../../../platform/http/html.ts'
import type { CustomerDetails } from '../customers.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { addressOf, amount, shortened, type Column } from '../../../dashboard/parts/lists.ts'
import {
  crumb,
  form,
  formatExactly,
  head,
  problems,
  shopTime,
  type Mistakes,
} from '../../../dashboard/parts/parts.ts'
import { facts, section, type Fact } from '../../../dashboard/parts/things.ts'
import { paymentStyles, paymentTable } from '../../../dashboard/payments/list-page.ts'
import { customerPath } from './list-page.ts'

// One customer: what they paid, what went back, and what they may ask for: their data, or its deletion.

export type CustomerModel = {
  readonly customer: CustomerDetails
  /** What modules add. */
  readonly sections: readonly Html[]
}

export function customerPage(ask: MemberAsk, { customer, sections }: CustomerModel): Content {
  const { home } = ask.place
  const all = addressOf(`${home}/payments`, { search: customer.email })
  return {
    title: customer.email,
    styles: paymentStyles,
    body: html`${customerHead(ask, customer)}
      ${facts(customerFacts(ask, customer))}
      ${section(
        'Payments',
        paymentTable(ask, { label: 'Payments', rows: customer.payments, also: [title] }),
        customer.hasMore ? html`<a class="button plain" href="${all}">Show all</a>` : undefined,
      )}
      ${sections} ${theirData(ask, customer)}`,
  }
}

function customerHead(ask: MemberAsk, { names, email }: CustomerDetails): Html {
  const [name = ''] = names
  return html`<div class="head">
    <div>
      ${crumb(`${ask.place.home}/customers`, 'Customers')}
      <h1>${name === '' ? email : name}</h1>
      <p class="quiet ref">${email}</p>
    </div>
  </div>`
}

function customerFacts(ask: MemberAsk, { sums, names }: CustomerDetails): Fact[] {
  const first = sums.map(({ first_at }) => first_at).toSorted()[0]
  const isPlain = sums.length === 1
  const of = (currency: string): string => (isPlain ? '' : ` (${currency})`)
  return [
    ...sums.flatMap(({ currency, paid, payments: count, paid_minor, refunded_minor }): Fact[] => [
      [
        `Paid${of(currency)}`,
        html`<b class="figures">${amount(paid_minor, currency)}</b>
          <span class="quiet">in ${paid.toLocaleString('en-GB')} of ${count.toLocaleString('en-GB')} payments</span>`,
      ],
      [`Refunded${of(currency)}`, refunded_minor > 0n ? amount(refunded_minor, currency) : undefined],
    ]),
    ['Also as', names.length > 1 ? names.slice(1).join(', ') : undefined],
    ['First payment', first === undefined ? undefined : formatExactly(new Date(first), shopTime(ask))],
  ]
}

const title: Column<PaymentRow> = {
  label: 'For',
  draw: (payment) => (payment.title === null ? '' : shortened(payment.title)),
}

/** Rights of customers under privacy law. */
function theirData(ask: MemberAsk, { email }: CustomerDetails): Html | undefined {
  const { role, home } = ask.place
  const mayExport = hasRight(role, 'customers.export')
  const mayErase = hasRight(role, 'customers.erase')
  if (!mayExport && !mayErase) return undefined
  const address = html`<input type="hidden" name="email" value="${email}" />`
  return section(
    'Their data',
    html`<div class="card stack">
      <p class="quiet">
        A customer may ask what you store about them, or to be forgotten. Both cover test and live payments of this shop,
        and are recorded in the audit log.
      </p>
      <div class="actions">
        ${mayExport && form(ask, `${home}/customers/one/do/export`, html`${address}<button class="plain">Download all data</button>`)}
        ${
          mayErase &&
          html`<a class="button plain" href="${addressOf(`${home}/customers/one/erase`, { email })}">Erase customer</a>`
        }
      </div>
    </div>`,
  )
}

export function eraseCustomerPage(
  ask: MemberAsk,
  customer: CustomerDetails,
  mistakes: Mistakes = {},
): Content {
  const { home } = ask.place
  const { email } = customer
  return {
    title: 'Erase customer',
    body: html`${head('Erase this customer?', { crumb: crumb(customerPath(ask, email), email) })}
      <div class="card form">
        ${problems(mistakes)}
        <p>
          Names, addresses and <code>meta</code> are replaced in all test and live payments of <b>${email}</b>, in
          notifications, e-mails, refunds, notes and search. Amounts, states, dates and your own references stay, as your
          books need them.
        </p>
        <p>This can’t be undone. Networks such as Stripe keep their own records.</p>
        ${form(
          ask,
          `${home}/customers/one/erase`,
          html`<input type="hidden" name="email" value="${email}" />
            <div class="actions">
              <button class="danger">Erase customer</button>
              <a class="button plain" href="${customerPath(ask, email)}">Keep</a>
            </div>`,
        )}
      </div>`,
  }
}
