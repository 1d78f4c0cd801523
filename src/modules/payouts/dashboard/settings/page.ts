import { html, type Html } from '../../../../platform/http/html.ts'
import type { FormFields } from '../../../../platform/input/form-fields.ts'
import { clearingField, purposes, type Bookkeeping, type Purpose } from '../../bookkeeping/settings.ts'
import type { Content, MemberAsk } from '../../../../dashboard/ask.ts'
import { networkName } from '../../../../dashboard/network-name.ts'
import { select, type Choice } from '../../../../dashboard/parts/lists.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../../../../dashboard/parts/parts.ts'
import { facts, section } from '../../../../dashboard/parts/things.ts'
import { inLabels, mayChange, pathOf, styles } from '../../../../dashboard/settings/parts.ts'

export type BookkeepingModel = { readonly settings: Bookkeeping; readonly networks: readonly string[] }

const labels: Readonly<Record<Purpose, string>> = {
  sales: 'Sales',
  fees: 'Fees',
  fee_tax: 'Tax on fees',
  other: 'Other bookings',
  bank: 'Bank',
}

const hints: Readonly<Record<Purpose, string>> = {
  sales: 'Payments, refunds and disputes',
  fees: 'What networks charge, without tax',
  fee_tax: 'Empty: with the fees',
  other: 'Adjustments by networks, and differences',
  bank: 'Where payouts go. If your bank’s statements are booked as well, the account for money in transit. Empty: payouts are not booked',
}

const others = {
  consultant_number: 'Consultant number',
  client_number: 'Client number',
  fiscal_year_month: 'Fiscal year begins in month',
  account_length: 'Digits of an account',
  chart: 'Chart of accounts',
} as const

const charts: readonly Choice[] = [
  ['', 'Another'],
  ['03', 'SKR 03'],
  ['04', 'SKR 04'],
]

const clearingLabel = (ask: MemberAsk, network: string): string =>
  `Clearing account of ${networkName(ask, network)}`

/** The label of a setting, by the name of its field. */
export function settingLabel(ask: MemberAsk, name: string): string {
  const known = new Map<string, string>(Object.entries({ ...labels, ...others }))
  return known.get(name) ?? clearingLabel(ask, name.slice(clearingField('').length))
}

export function bookkeepingSettingsPage(ask: MemberAsk, { settings, networks }: BookkeepingModel): Content {
  const shown = (value: string | number | undefined): Html | string =>
    value === undefined || value === '' ? html`<span class="quiet">Not set</span>` : String(value)
  return {
    title: 'Bookkeeping settings',
    styles,
    body: html`${head('Bookkeeping settings', {
      lead: 'The account numbers that exports book to. The same in test and live mode.',
      ...(mayChange(ask) && {
        action: html`<a class="button go" href="${pathOf(ask, '/bookkeeping/edit')}">Edit</a>`,
      }),
    })}
    ${facts([
      ...purposes.map((purpose) => [labels[purpose], shown(settings.accounts[purpose])] as const),
      ...networks.map((network) => [clearingLabel(ask, network), shown(settings.clearing[network])] as const),
    ])}
    ${networks.length === 0 && html`<p class="quiet">Networks appear here once they report payouts.</p>`}
    ${section(
      'DATEV',
      facts([
        [others.consultant_number, shown(settings.consultantNumber)],
        [others.client_number, shown(settings.clientNumber)],
        [others.fiscal_year_month, shown(settings.fiscalYearMonth)],
        [others.account_length, shown(settings.accountLength)],
        [others.chart, charts.find(([code]) => code === settings.chart)?.[1] ?? ''],
      ]),
    )}`,
  }
}

export function editBookkeepingPage(
  ask: MemberAsk,
  { settings, networks }: BookkeepingModel,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const named = Object.fromEntries(
    networks.map((network) => [clearingField(network), clearingLabel(ask, network)]),
  )
  const said = inLabels(mistakes, { ...labels, ...others, ...named })
  const path = pathOf(ask, '/bookkeeping')
  const digits = (name: string, label: string, value: string | number | undefined, hint?: string): Html =>
    field(
      {
        name,
        label,
        autocomplete: 'off',
        inputmode: 'numeric',
        hint,
        value: typed.get(name) ?? String(value ?? ''),
      },
      said,
    )
  return {
    title: 'Edit bookkeeping settings',
    styles,
    body: html`${head('Edit bookkeeping settings', { crumb: crumb(path, 'Bookkeeping settings') })}
      <div class="card form">
        ${problems(said)}
        ${form(
          ask,
          `${path}/edit`,
          html`${purposes.map((purpose) => digits(purpose, labels[purpose], settings.accounts[purpose], hints[purpose]))}
            ${networks.map((network) => digits(clearingField(network), clearingLabel(ask, network), settings.clearing[network], 'Holds what the network holds'))}
            <fieldset>
              <legend>DATEV</legend>
              ${digits('consultant_number', others.consultant_number, settings.consultantNumber, 'Beraternummer: your tax adviser knows it')}
              ${digits('client_number', others.client_number, settings.clientNumber, 'Mandantennummer')}
              ${digits('fiscal_year_month', others.fiscal_year_month, settings.fiscalYearMonth, '1 is January')}
              ${digits('account_length', others.account_length, settings.accountLength, '4 to 8')}
              ${select('chart', others.chart, charts, typed.get('chart') ?? settings.chart)}
            </fieldset>
            <div><button class="go">Save</button></div>`,
        )}
      </div>`,
  }
}
