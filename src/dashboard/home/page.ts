import { html, type Html } from '../../platform/http/html.ts'
import type { PaymentRow } from '../../core/payments/checkout-view.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { amount, shortened, statePill, table } from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { section } from '../parts/things.ts'
import type { HomePart, Matter } from '../slots.ts'
import { drawMatters } from './attention.ts'
import { styles } from './styles.ts'

// Home of a shop with payments: problems, figures, latest payments.

export type HomeModel = {
  readonly matters: readonly Matter[]
  /** What modules add. */
  readonly parts: readonly HomePart[]
  readonly latest: readonly PaymentRow[]
  /** The shop hasn't finished its first steps. */
  readonly leadsToStart: boolean
}

export function homePage(ask: MemberAsk, model: HomeModel): Content {
  const { matters, parts, latest, leadsToStart } = model
  const { merchant, home } = ask.place
  return {
    title: merchant.name,
    styles,
    body: html`${head(merchant.name, {
      ...parts.find(({ lead }) => lead !== undefined),
    })}
      ${leadsToStart && toStart(home)} ${drawMatters(matters)} ${parts.map(({ body }) => body)}
      ${section(
        'Latest payments',
        latestPayments(ask, latest),
        html`<a class="button plain" href="${home}/payments">All payments</a>`,
      )}`,
  }
}

function toStart(home: string): Html {
  return html`<div class="card to-start">
    <p><strong>Your first five minutes</strong> <span class="quiet">Pay a test payment, see its notification, copy the code.</span></p>
    <a class="button plain" href="${home}/start">Continue</a>
  </div>`
}

function latestPayments(ask: MemberAsk, latest: readonly PaymentRow[]): Html {
  const now = shopTime(ask)
  return table<PaymentRow>({
    label: 'Latest payments',
    to: ({ number }) => `${ask.place.home}/payments/${number}`,
    columns: [
      { label: 'Amount', isFigure: true, draw: (row) => amount(row.amount_minor, row.currency) },
      { label: 'State', draw: ({ state }) => statePill(state) },
      { label: 'Payment', draw: ({ tx_ref }) => shortened(tx_ref) },
      { label: 'Customer', draw: ({ email }) => shortened(email) },
      { label: 'Created', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
    rows: latest,
  })
}
