import { html, type Html } from '../../http/html.ts'
import type { CurrencyTotals } from '../../payments/daily-totals/daily-totals.ts'
import type { PaymentRow } from '../../payments/checkout-view.ts'
import type { Balance } from '../../payouts/read-balance.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, amount, shortened, statePill, table } from '../parts/lists.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { section, tabs } from '../parts/things.ts'
import { drawNextMoney } from '../payouts/next-money.ts'
import { drawMatters, type Matter } from './attention.ts'
import { drawFigures } from './figures.ts'
import { styles } from './styles.ts'

// Home of a shop with payments: problems, figures, latest payments.

export type HomeModel = {
  readonly matters: readonly Matter[]
  readonly totals: readonly CurrencyTotals[]
  /** What networks hold and have on its way to the bank. */
  readonly balances: readonly Balance[]
  readonly latest: readonly PaymentRow[]
  /** The shop hasn't finished its first steps. */
  readonly leadsToStart: boolean
}

export function homePage(ask: MemberAsk, model: HomeModel): Content {
  const { matters, totals, balances, latest, leadsToStart } = model
  const { merchant, home } = ask.place
  const shown = totals.find(({ currency }) => currency === ask.query['currency']) ?? totals[0]
  return {
    title: merchant.name,
    styles,
    body: html`${head(merchant.name, { lead: 'The last 30 days. A day begins at midnight UTC.' })}
      ${leadsToStart && toStart(home)} ${drawMatters(matters)} ${totals.length > 1 && shown && currencies(home, totals, shown)}
      ${shown ? drawFigures(shown) : nothingYet()} ${drawNextMoney(ask, balances)}
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

function currencies(home: string, totals: readonly CurrencyTotals[], shown: CurrencyTotals): Html {
  return tabs(
    'Currencies',
    totals.map(({ currency }) => ({
      label: currency,
      to: addressOf(home, { currency }),
      isHere: currency === shown.currency,
    })),
  )
}

function nothingYet(): Html {
  return html`<div class="card empty">
    <h2>No payments finished in this period</h2>
    <p class="quiet">Figures appear once a payment is paid, fails, expires or is cancelled.</p>
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
