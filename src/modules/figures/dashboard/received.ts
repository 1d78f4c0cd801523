import { html, type Html } from '../../../platform/http/html.ts'
import { moneyWords } from '../../../platform/money/money-words.ts'
import { addedUpMax, type CurrencyTotals, type ProjectTotals } from '../project-totals.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { addressOf, amount, table } from '../../../dashboard/parts/lists.ts'
import { section } from '../../../dashboard/parts/things.ts'

export function drawReceived({ place }: MemberAsk, projectId: string, totals: ProjectTotals): Html {
  return section(
    place.mode === 'test' ? 'Received in test mode' : 'Received',
    totalsOf(totals),
    html`<a href="${addressOf(`${place.home}/payments`, { project: projectId })}">Payments</a>`,
  )
}

function totalsOf({ currencies, isWhole }: ProjectTotals): Html {
  if (currencies.length === 0)
    return html`<div class="card"><p class="quiet">Nothing has been paid for this project yet.</p></div>`
  return html`${table<CurrencyTotals>({
    label: 'Received, by currency',
    rows: currencies,
    columns: [
      { label: 'Currency', draw: ({ currency }) => currency },
      { label: 'Payments', isFigure: true, draw: ({ paid }) => paid.toLocaleString('en-GB') },
      {
        label: moneyWords.gross,
        isFigure: true,
        draw: ({ paidMinor, currency }) => amount(paidMinor, currency),
      },
      {
        label: moneyWords.refunds,
        isFigure: true,
        draw: ({ refundedMinor, currency }) => amount(-refundedMinor, currency),
      },
      {
        label: moneyWords.disputes,
        isFigure: true,
        draw: ({ disputedMinor, currency }) => amount(-disputedMinor, currency),
      },
    ],
  })}
  ${
    !isWhole &&
    html`<p class="quiet small">
      Totals cover the latest ${addedUpMax.toLocaleString('en-GB')} payments of this project, paid or not. Export payments to see older ones.
    </p>`
  }`
}
