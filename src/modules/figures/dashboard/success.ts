import { html, type Html } from '../../../platform/http/html.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { Figures } from '../../../core/payments/daily-totals/daily-totals.ts'
import type { TopRow } from '../../../dashboard/slots.ts'
import { addressOf, table } from '../../../dashboard/parts/lists.ts'
import { formatDays, type Period } from '../../../dashboard/parts/period.ts'
import { section } from '../../../dashboard/parts/things.ts'
import { describeWhy } from '../../../dashboard/payments/describe-why.ts'
import { counted, type Lists } from './figures.ts'
import type { Compared, HomeFigures } from './read-figures.ts'

// How many payments were paid, why the others were not, and what the paid ones were for.

type Ended = Pick<Figures, 'paid' | 'unpaid'>

export function drawSuccess(shown: Compared, figures: HomeFigures, period: Period, lists: Lists): Html {
  const { paid, unpaid } = shown.sum
  const to = lists(period, shown.currency)
  return html`<section class="figure-of-days card" aria-labelledby="success">
    <h2 id="success">Success rate</h2>
    <p class="large">${formatRate(shown.sum)}</p>
    <p class="quiet small">
      <span><a href="${to.paid}">${counted(paid, 'payment')} paid</a>, <a href="${to.unpaid}">${counted(unpaid, 'payment')} not paid</a></span>
      <span>${formatDays(period.before)}: ${formatRate(shown.before)}</span>
    </p>
    ${figures.reasons.length > 0 && drawReasons(figures, to.unpaid)}
  </section>`
}

function drawReasons({ reasons, isWhole }: HomeFigures, unpaid: string): Html {
  const all = reasons.reduce((sum, { payments }) => sum + payments, 0)
  return html`<h3>Why payments weren’t paid</h3>
    <ul class="reasons">
      ${reasons.map(
        ({ why, payments }) => html`<li>
          <a href="${unpaid}&amp;why=${encodeURIComponent(why)}">${describeWhy(why)}</a>
          <span class="figures">${payments.toLocaleString('en-GB')}</span>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="4" class="rail" />
            <rect width="${Math.max(1, Math.round((payments / all) * 100))}" height="4" class="part" />
          </svg>
        </li>`,
      )}
    </ul>
    ${!isWhole && html`<p class="hint">Of the latest ${all.toLocaleString('en-GB')} of them.</p>`}`
}

export function drawTops(
  home: string,
  shown: Compared,
  figures: HomeFigures,
  period: Period,
): Html | undefined {
  const { projects, links, isWhole } = figures
  if (projects.length === 0 && links.length === 0) return undefined
  const { from, to } = period
  const inProject = (project: string): string =>
    addressOf(`${home}/payments`, { state: 'paid', currency: shown.currency, by: 'end', from, to, project })
  return html`<div class="tops">
    ${projects.length > 0 && drawTop('Top projects', projects, shown.currency, inProject)}
    ${links.length > 0 && drawTop('Top links', links, shown.currency, (id) => `${home}/links/${id}`)}
  </div>
  ${!isWhole && html`<p class="hint">Projects and links count the latest 5,000 payments of the period.</p>`}`
}

function drawTop(title: string, rows: readonly TopRow[], currency: string, to: (id: string) => string): Html {
  return section(
    title,
    table<TopRow>({
      label: title,
      rows,
      to: ({ id }) => to(id),
      columns: [
        { label: 'Name', draw: ({ name }) => name },
        { label: 'Payments', isFigure: true, draw: ({ payments }) => payments.toLocaleString('en-GB') },
        {
          label: 'Paid',
          isFigure: true,
          draw: ({ paidMinor }) => displayAmount(paidMinor, currency, 'en-GB'),
        },
      ],
    }),
  )
}

function formatRate({ paid, unpaid }: Ended): string {
  const ended = paid + unpaid
  if (ended === 0n) return '–'
  const rate = Number((paid * 10_000n) / ended) / 10_000
  // Never rounded up: 99.96% must not read 100%.
  return rate === 1 ? '100%' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)}%`
}
