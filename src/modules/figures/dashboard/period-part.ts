import { html, type Html } from '../../../platform/http/html.ts'
import { dayAt } from '../../../core/merchants/brand/end-of-day.ts'
import { projectTotals } from '../project-totals.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { networkName } from '../../../dashboard/network-name.ts'
import { addressOf, emptyList, filters } from '../../../dashboard/parts/lists.ts'
import {
  formatDays,
  periodNames,
  readPeriod,
  type Period,
  type PeriodName,
} from '../../../dashboard/parts/period.ts'
import { tabs } from '../../../dashboard/parts/things.ts'
import type { DashboardPart, HomePart } from '../../../dashboard/slots.ts'
import { drawAside, drawDays, drawMoney, drawVolume, listsOf } from './figures.ts'
import { readFigures, type Compared, type HomeFigures } from './read-figures.ts'
import { drawReceived } from './received.ts'
import { drawSuccess, drawTops } from './success.ts'

// What a period came to, on Home, and what a project received, on its page.

export const figuresPart: DashboardPart = {
  order: 10,
  home: async (ask, parts) => {
    const period = readPeriod(ask.query, ask.core.now(), ask.place.merchant.brand.timeZone)
    return drawHome(ask, period, await readFigures(ask, period, parts))
  },
  project: async (ask, projectId) => {
    const { merchant, mode } = ask.place
    const scope = { merchantId: merchant.id, mode, projectId }
    return drawReceived(ask, projectId, await projectTotals(ask.core.db, scope))
  },
}

export function drawHome(ask: MemberAsk, period: Period, figures: HomeFigures): HomePart {
  const zone = ask.place.merchant.brand.timeZone.replaceAll('_', ' ')
  return {
    lead: `${formatDays(period, 'long')}. Days begin at midnight in ${zone}.`,
    body: html`${periods(ask, period)} ${drawPeriod(ask, period, figures)}`,
  }
}

function drawPeriod(ask: MemberAsk, period: Period, figures: HomeFigures): Html {
  const { home, merchant } = ask.place
  const { currencies, shown, missing } = figures
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
    ${drawMoney(currencies, period, lists)} ${drawAside(currencies, missing, (name) => networkName(ask, name))}
    ${drawDays(shown, lists)} ${drawTops(home, shown, figures, period)}`
}

const labels: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  '7': '7 days',
  '30': '30 days',
  month: 'This month',
  last_month: 'Last month',
  last_quarter: 'Last quarter',
  year: 'Year to date',
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
