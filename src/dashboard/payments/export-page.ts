import { html, type Html } from '../../http/html.ts'
import { countMax, type Count } from '../../payments/support/search-payments.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf } from '../parts/lists.ts'
import { crumb, form, head, problems, type Mistakes } from '../parts/parts.ts'
import { facts } from '../parts/things.ts'
import { filterNames, isFiltered, listPath, type Filter } from './filter.ts'
import { paymentStyles, describeState } from './list-page.ts'

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
      lead: 'A CSV file with one row per payment, newest first.',
    })}
      ${problems(mistakes)}
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
      ['From', shown(filter.from)],
      ['To', shown(filter.to)],
      ['Project', shown(filter.project)],
    ])}
    ${!isFiltered(filter) && html`<p class="hint">This exports every payment. Filter the list first to export fewer.</p>`}
    ${
      count.count === 0
        ? html`<p>No payments to export.</p>`
        : html`<div data-export="${count.count}">
            ${form(
              ask,
              `${listPath(ask)}/all/export`,
              html`${filterNames.map((name) => html`<input type="hidden" name="${name}" value="${filter[name]}" />`)}
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

function shown(text: string): string | undefined {
  return text === '' ? undefined : text
}

export function formatCount({ count, isExact }: Count): string {
  if (isExact) return count.toLocaleString('en-GB')
  if (count <= countMax) return `more than ${countMax.toLocaleString('en-GB')}`
  const step = 10 ** (String(Math.round(count)).length - 2)
  return `about ${(Math.round(count / step) * step).toLocaleString('en-GB')}`
}
