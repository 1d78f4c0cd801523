import { html, type Html } from '../../../../platform/http/html.ts'
import type { FormFields } from '../../../../platform/input/form-fields.ts'
import { currencyCodes, currencyName } from '../../../../platform/money/currencies.ts'
import { plainAmount } from '../../../../platform/money/money.ts'
import { chargesPerDayMax } from '../../charge-method.ts'
import { triesMax } from '../../retry-rules.ts'
import type { ChargeRules, DayCeilings } from '../../rules.ts'
import type { Content, MemberAsk } from '../../../../dashboard/ask.ts'
import { amount, emptyList, pill, select, table } from '../../../../dashboard/parts/lists.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../../../../dashboard/parts/parts.ts'
import { facts, section } from '../../../../dashboard/parts/things.ts'
import { mayChange, pathOf, radio, styles } from '../../../../dashboard/settings/parts.ts'
import { allField, methodField, other } from './read-rules.ts'

// The switch that stops all charges of saved methods, and ceilings per day.

/** What the merchant takes, and whatever has a ceiling. */
export function shownCurrencies({ place }: MemberAsk, { ceilings }: ChargeRules): string[] {
  return [...new Set([...place.merchant.currencies.keys(), ...ceilings.keys()])]
}

export function rulesPage(ask: MemberAsk, rules: ChargeRules): Content {
  const { mode, home } = ask.place
  return {
    title: 'Saved methods',
    styles,
    body: html`${head('Saved methods', {
      lead: `Limits on charging customers’ saved methods in ${mode} mode.`,
      ...(mayChange(ask) && {
        action: html`<a class="button go" href="${pathOf(ask, '/saved-methods/edit')}">Edit</a>`,
      }),
    })}
    ${facts([
      [
        'Charges of saved methods',
        rules.isStopped
          ? html`${pill('stopped', 'bad')} <span class="quiet">Every charge is refused</span>`
          : pill('allowed', 'good'),
      ],
    ])}
    ${section('Your ceilings per day', ceilingTable(rules))}
    ${section(
      'Always enforced',
      html`<ul>
        <li>The most per day that the customer agreed to</li>
        <li>${chargesPerDayMax} charges a day of one method</li>
        <li>${triesMax} attempts in 30 days without a success, and a wait after each decline</li>
        <li>A method that its network refused for good is never charged again</li>
      </ul>`,
    )}
    <p class="quiet">A customer’s saved methods are on their page, under <a href="${home}/customers">Customers</a>.</p>`,
  }
}

type Row = readonly [currency: string, ceilings: DayCeilings]

function ceilingTable({ ceilings }: ChargeRules): Html {
  if (ceilings.size === 0)
    return emptyList(
      'No ceilings',
      'A ceiling limits the damage of a program that charges too much or too often.',
    )
  const sum = (minor: bigint | undefined, currency: string): Html =>
    minor === undefined ? html`<span class="quiet">None</span>` : amount(minor, currency)
  return table<Row>({
    label: 'Ceilings per day',
    rows: [...ceilings],
    columns: [
      { label: 'Currency', draw: ([currency]) => `${currency}, ${currencyName(currency)}` },
      {
        label: 'Each method',
        draw: ([currency, { methodMinor }]) => sum(methodMinor, currency),
        isFigure: true,
      },
      {
        label: 'All methods together',
        draw: ([currency, { allMinor }]) => sum(allMinor, currency),
        isFigure: true,
      },
    ],
  })
}

export function editRulesPage(
  ask: MemberAsk,
  rules: ChargeRules,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const path = pathOf(ask, '/saved-methods')
  const currencies = shownCurrencies(ask, rules)
  const isStopped = (typed.get('charges') ?? (rules.isStopped ? 'stopped' : 'allowed')) === 'stopped'
  return {
    title: 'Edit saved methods',
    styles,
    body: html`${head('Edit saved methods', {
      crumb: crumb(path, 'Saved methods'),
      lead: `For ${ask.place.mode} mode.`,
    })}
    <div class="card form">
      ${problems(mistakes)}
      ${form(
        ask,
        `${path}/edit`,
        html`<fieldset>
            <legend>Charges of saved methods</legend>
            ${radio('charges', 'allowed', !isStopped, 'Allowed', 'Within the ceilings below and what each customer agreed to')}
            ${radio('charges', 'stopped', isStopped, 'Stopped', 'Every new charge is refused. Customers can still pay, and save methods. Charges under way finish')}
          </fieldset>
          <p class="quiet">Ceilings of your own, per day from midnight UTC. Leave a field empty for no ceiling.</p>
          ${currencies.map((currency) => ceilingFields(currency, rules.ceilings.get(currency), typed, mistakes))}
          ${otherFields(currencies, typed, mistakes)}
          <div><button class="go">Save</button></div>`,
      )}
    </div>`,
  }
}

function ceilingFields(
  currency: string,
  ceilings: DayCeilings | undefined,
  typed: FormFields,
  mistakes: Mistakes,
): Html {
  const shown = (minor: bigint | undefined): string =>
    minor === undefined ? '' : plainAmount(minor, currency)
  return html`<fieldset>
    <legend>Most per day in ${currency}</legend>
    ${pair(currency, { method: shown(ceilings?.methodMinor), all: shown(ceilings?.allMinor) }, typed, mistakes)}
  </fieldset>`
}

function otherFields(currencies: readonly string[], typed: FormFields, mistakes: Mistakes): Html {
  const name = `${other}_currency`
  const codes = currencyCodes.filter((code) => !currencies.includes(code))
  const mistake = mistakes[name]
  return html`<fieldset>
    <legend>Most per day in another currency</legend>
    ${select(name, 'Currency', [['', 'None'], ...codes.map((code) => [code, `${code}, ${currencyName(code)}`] as const)], typed.get(name) ?? '')}
    ${mistake !== undefined && html`<p class="error">${mistake}</p>`}
    ${pair(other, { method: '', all: '' }, typed, mistakes)}
  </fieldset>`
}

function pair(
  row: string,
  stored: { readonly method: string; readonly all: string },
  typed: FormFields,
  mistakes: Mistakes,
): Html {
  const sum = (name: string, label: string, value: string): Html =>
    field({ name, label, autocomplete: 'off', value: typed.get(name) ?? value }, mistakes)
  return html`<div class="pair">
    ${sum(methodField(row), 'Each method', stored.method)}
    ${sum(allField(row), 'All methods together', stored.all)}
  </div>`
}
