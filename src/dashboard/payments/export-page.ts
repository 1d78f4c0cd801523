import { html, type Html } from '../../platform/http/html.ts'
import type { Count } from '../../core/payments/support/search-payments.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { csvStyleOf, type CsvStyleName } from '../../core/merchants/brand/csv-style.ts'
import { addressOf, select } from '../parts/lists.ts'
import { crumb, form, head, problems, type Mistakes } from '../parts/parts.ts'
import { monthsBefore, formatDays } from '../parts/period.ts'
import { facts, tabs } from '../parts/things.ts'
import { filterNames, isFiltered, listPath, type Filter } from './filter.ts'
import { paymentStyles, describeState } from './list-page.ts'
import { formatCount } from './format-count.ts'
import { describeWhy } from './describe-why.ts'

// The export form: what is in the file. With a script it shows progress.

export function exportPage(
  ask: MemberAsk,
  filter: Filter,
  count: Count | undefined,
  mistakes: Mistakes = {},
): Content {
  const path = listPath(ask)
  return {
    title: 'Export payments',
    styles: paymentStyles,
    body: html`${head('Export payments', {
      crumb: crumb(addressOf(path, filter), 'Payments'),
      lead: 'A CSV file for spreadsheets and bookkeeping: one row per payment, with gross, refunds, disputes, network fees, net and payout.',
    })}
      ${problems(mistakes)} ${presets(ask, filter)}
      ${count && what(ask, filter, count)}`,
  }
}

function what(ask: MemberAsk, filter: Filter, count: Count): Html {
  return html`<div class="card form">
    ${facts([
      ['Payments', formatCount(count)],
      ['Mode', ask.place.mode],
      ['Search', shown(filter.search)],
      ['State', shown(describeState(filter.state))],
      ['Currency', shown(filter.currency)],
      ['Dates', filter.from === '' && filter.to === '' ? undefined : describeDates(filter)],
      ['Project', shown(filter.project)],
      ['Reason', filter.why === '' ? undefined : describeWhy(filter.why)],
    ])}
    <p class="hint">Times are in ${ask.place.merchant.brand.timeZone.replaceAll('_', ' ')}. Payments that were never paid have no gross, fees or net.</p>
    ${!isFiltered(filter) && html`<p class="hint">This exports every payment. Filter the list first to export fewer.</p>`}
    ${
      count.count === 0
        ? html`<p>No payments to export.</p>`
        : html`<div data-export="${count.count}">
            ${form(
              ask,
              `${listPath(ask)}/all/export`,
              html`${filterNames.map((name) => html`<input type="hidden" name="${name}" value="${filter[name]}" />`)}
                ${select('style', 'Numbers and columns', styles, csvStyleOf(ask.place.merchant.brand).separator === ';' ? 'semicolons' : 'commas', 'As spreadsheets in your country read them. Your country is in the shop settings.')}
                <div><button class="go">Download</button></div>`,
            )}
            <div class="export-progress" hidden>
              <progress max="${count.count}" value="0" aria-label="Progress"></progress>
              <p role="status" class="quiet small figures"></p>
            </div>
          </div>`
    }
    <p class="hint">The audit log records this download with your name.</p>
  </div>`
}

const styles: readonly (readonly [CsvStyleName, string])[] = [
  ['commas', '1234.50, columns separated by commas'],
  ['semicolons', '1234,50, columns separated by semicolons'],
]

/** What bookkeepers ask for each month. */
function presets(ask: MemberAsk, filter: Filter): Html {
  const now = ask.core.now()
  const { timeZone } = ask.place.merchant.brand
  const periods = [
    ['Last month', monthsBefore(now, timeZone, 1)],
    ['Last quarter', monthsBefore(now, timeZone, 3)],
  ] as const
  const base = { ...filter, state: 'paid', by: 'end' }
  return tabs(
    'Paid in a period',
    periods.map(([label, { from, to }]) => ({
      label: `Paid ${label.toLowerCase()}`,
      to: addressOf(`${listPath(ask)}/all/export`, { ...base, from, to }),
      isHere: filter.from === from && filter.to === to && filter.by === 'end',
    })),
  )
}

function describeDates({ by, from, to }: Filter): string {
  const about = by === 'end' ? 'Paid or ended' : by === 'reversed' ? 'Taken back by the bank' : 'Created'
  if (from !== '' && to !== '') return `${about} ${formatDays({ from, to }, 'long')}`
  return from === '' ? `${about} until ${to}` : `${about} since ${from}`
}

function shown(text: string): string | undefined {
  return text === '' ? undefined : text
}
