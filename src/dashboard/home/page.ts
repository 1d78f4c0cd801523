import { html, type Html } from '../../http/html.ts'
import { dayAt } from '../../merchants/brand/end-of-day.ts'
import type { PaymentRow } from '../../payments/checkout-view.ts'
import type { Balance } from '../../payouts/read-balance.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, amount, emptyList, filters, shortened, statePill, table } from '../parts/lists.ts'
import { formatDays, periodNames, type Period, type PeriodName } from '../parts/period.ts'
import { head, timeAgo, shopTime } from '../parts/parts.ts'
import { section, tabs } from '../parts/things.ts'
import { drawNextMoney } from '../payouts/next-money.ts'
import { drawMatters, type Matter } from './attention.ts'
import { drawDays, drawMoney, drawVolume, listsOf } from './figures.ts'
import type { Compared, HomeFigures } from './read-figures.ts'
import { drawSuccess, drawTops } from './success.ts'
import { styles } from './styles.ts'

// Home of a shop with payments: problems, figures, latest payments.

export type HomeModel = {
  readonly matters: readonly Matter[]
  readonly period: Period
  readonly figures: HomeFigures
  /** What networks hold and have on its way to the bank. */
  readonly balances: readonly Balance[]
  readonly latest: readonly PaymentRow[]
  /** The shop hasn't finished its first steps. */
  readonly leadsToStart: boolean
}

export function homePage(ask: MemberAsk, model: HomeModel): Content {
  const { matters, period, balances, latest, leadsToStart } = model
  const { merchant, home } = ask.place
  return {
    title: merchant.name,
    styles,
    body: html`${head(merchant.name, {
      lead: `${formatDays(period, 'long')}. Days begin at midnight in ${merchant.brand.timeZone.replaceAll('_', ' ')}.`,
    })}
      ${leadsToStart && toStart(home)} ${drawMatters(matters)} ${periods(ask, period)} ${drawPeriod(ask, model)}
      ${drawNextMoney(ask, balances)}
      ${section(
        'Latest payments',
        latestPayments(ask, latest),
        html`<a class="button plain" href="${home}/payments">All payments</a>`,
      )}`,
  }
}

function drawPeriod(ask: MemberAsk, { period, figures }: HomeModel): Html {
  const { home, merchant } = ask.place
  const { currencies, shown } = figures
  if (!shown)
    return emptyList(
      'Nothing in this period',
      'Figures appear once a payment is paid, fails, expires or is cancelled. Choose other days above.',
    )
  const lists = listsOf(home)
  const today = dayAt(ask.core.now(), merchant.brand.timeZone)
  return html`${currencies.length > 1 && currencyTabs(home, period, currencies, shown)}
    <div class="figures-of-days">
      ${drawVolume(shown, period, lists, today)} ${drawSuccess(shown, figures, period, lists)}
    </div>
    ${drawMoney(currencies, period, lists)} ${drawDays(shown, lists)} ${drawTops(home, shown, figures, period)}`
}

const labels: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  '7': '7 days',
  '30': '30 days',
  month: 'This month',
  own: 'Custom dates',
}

/** As the address names it. */
function addressed({ name, from, to }: Period): Record<string, string> {
  if (name === 'own') return { from, to }
  return name === '30' ? {} : { period: name }
}

function periods(ask: MemberAsk, period: Period): Html {
  const { home } = ask.place
  const currency = ask.query['currency']
  return html`<div class="periods">
    ${tabs(
      'Period',
      periodNames.map((name) => ({
        label: labels[name],
        to: addressOf(home, { period: name === '30' ? '' : name, currency }),
        isHere: period.name === name,
      })),
    )}
    <details ${period.name === 'own' && html`open`}>
      <summary>${labels.own}</summary>
      ${filters(
        home,
        [
          { name: 'from', label: 'From', type: 'date', value: period.from },
          { name: 'to', label: 'To', type: 'date', value: period.to },
        ],
        period.name === 'own',
      )}
    </details>
  </div>`
}

function toStart(home: string): Html {
  return html`<div class="card to-start">
    <p><strong>Your first five minutes</strong> <span class="quiet">Pay a test payment, see its notification, copy the code.</span></p>
    <a class="button plain" href="${home}/start">Continue</a>
  </div>`
}

function currencyTabs(home: string, period: Period, all: readonly Compared[], shown: Compared): Html {
  return tabs(
    'Currencies',
    all.map(({ currency }) => ({
      label: currency,
      to: addressOf(home, { ...addressed(period), currency }),
      isHere: currency === shown.currency,
    })),
  )
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
