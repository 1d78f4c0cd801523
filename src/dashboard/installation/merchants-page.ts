import { describeMissed } from '../../platform/database/spread/describe-missed.ts'
import type { Missed } from '../../platform/database/spread/nodes.ts'
import { html, type Html } from '../../platform/http/html.ts'
import type { FormFields } from '../../platform/input/form-fields.ts'
import { drawMerchantNumber } from '../../core/merchants/create-merchant.ts'
import type {
  MerchantPage,
  MerchantState,
  OperatedMerchant,
} from '../../core/merchants/operator/find-merchants.ts'
import type { Content, PersonAsk } from '../ask.ts'
import { addressOf, emptyList, filters, pager, pill, table, type Choice } from '../parts/lists.ts'
import { crumb, field, form, head, problems, timeAgo, type Mistakes, shopTime } from '../parts/parts.ts'
import { installationHead, pathOf } from './frame.ts'

// The list of merchants, and the form that adds one.

const choices: readonly Choice[] = [
  ['', 'All'],
  ['live', 'Live'],
  ['test', 'Test only'],
  ['suspended', 'Suspended'],
]

export function merchantsPage(
  ask: PersonAsk,
  { merchants, nextCursor }: MerchantPage,
  missed?: Missed,
): Content {
  const path = pathOf(ask)
  const { q = '', state = '', cursor } = ask.query
  const isFiltered = q !== '' || state !== ''
  const older = nextCursor === null ? undefined : addressOf(path, { q, state, cursor: nextCursor })
  const newest = cursor === undefined ? undefined : addressOf(path, { q, state })
  return {
    title: 'This installation',
    body: html`${installationHead(
      ask,
      'merchants',
      html`<a class="button go" href="${path}/merchants/new">New merchant</a>`,
    )}
    ${filters(
      path,
      [
        { name: 'q', label: 'Name or number', value: q },
        { name: 'state', label: 'State', value: state, choices },
      ],
      isFiltered,
    )}
    ${missed && html`<div class="notice" role="status"><p>${describeMissed(missed)}</p></div>`}
    ${merchants.length === 0 && !missed && nobody(isFiltered)} ${merchants.length > 0 && list(ask, merchants)}
    ${pager(newest, older)}`,
  }
}

function nobody(isFiltered: boolean): Html {
  return isFiltered
    ? emptyList('No matching merchants', 'No merchant has this name, number and state.')
    : emptyList('No merchant yet', 'A merchant has its own keys, payments and team.')
}

function list(ask: PersonAsk, merchants: readonly OperatedMerchant[]): Html {
  const now = shopTime(ask)
  return table<OperatedMerchant>({
    label: 'Merchants',
    to: ({ id }) => pathOf(ask, `/merchants/${id}`),
    columns: [
      { label: 'Name', draw: ({ name }) => name },
      { label: 'Number', draw: ({ id }) => html`<span class="figures">${id}</span>` },
      { label: 'State', draw: ({ state }) => merchantPill(state) },
      { label: 'Since', draw: ({ createdAt }) => timeAgo(new Date(createdAt), now) },
    ],
    rows: merchants,
  })
}

export function merchantPill(state: MerchantState): Html {
  if (state === 'suspended') return pill('suspended', 'bad')
  return state === 'live' ? pill('live', 'good') : pill('test only')
}

type Typed = {
  readonly name?: string | undefined
  readonly currencies?: string | undefined
  readonly email?: string | undefined
}

/** The form carries the new merchant's number, so sending it twice creates one merchant. */
export function readMerchantNumber(fields: FormFields): number {
  const given = fields.get('number') ?? ''
  return /^[1-9]\d{7}$/.test(given) ? Number(given) : drawMerchantNumber()
}

export function newMerchantPage(ask: PersonAsk, typed: Typed = {}, mistakes: Mistakes = {}): Content {
  return {
    title: 'New merchant',
    body: html`${head('New merchant', {
      crumb: crumb(pathOf(ask), 'Merchants'),
      lead: 'A new merchant starts in test mode, with its own keys, payments and team.',
    })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          pathOf(ask, '/merchants/new'),
          html`<input type="hidden" name="number" value="${readMerchantNumber(ask.fields)}" autocomplete="off" />
          ${field({ name: 'name', label: 'Name', value: typed.name, hint: 'The name its customers know.' }, mistakes)}
          ${field({ name: 'email', label: 'Owner’s e-mail address', type: 'email', autocomplete: 'off', value: typed.email, hint: ask.dashboard.hasMailServer ? 'They get an e-mail with a link that works for seven days.' : 'You get a link to send them. It works for seven days.' }, mistakes)}
          ${field({ name: 'currencies', label: 'Currencies besides GBP', value: typed.currencies, hint: 'For example EUR, USD. You can turn on more later.', isCode: true }, mistakes)}
            <div><button class="go">Create</button></div>`,
        )}
      </div>`,
  }
}
