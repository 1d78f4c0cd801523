import { html, type Html } from '../../../http/html.ts'
import type { FormFields } from '../../../input/form-fields.ts'
import type { Merchant } from '../../../merchants/authenticate.ts'
import { currencyCodes, currencyName } from '../../../money/currencies.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { amount, pill, select, type Choice } from '../../pages/lists.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../../pages/parts.ts'
import { facts, section } from '../../pages/things.ts'
import { inLabels, area, mayChange, pathOf, radio, styles } from '../parts.ts'

// What payments of this shop may be, and what they cost it.

export function paymentsPage(ask: MemberAsk, merchant: Merchant, mistakes: Mistakes = {}): Content {
  const isOwner = mayChange(ask)
  const { home } = ask.place
  return {
    title: 'Payment settings',
    styles,
    body: html`${head('Payment settings', {
      lead: 'The same in test and live mode.',
      ...(isOwner && { action: html`<a class="button go" href="${pathOf(ask, '/payments/edit')}">Edit</a>` }),
    })}
    ${problems(mistakes)}
    ${facts([
      ['Told of trouble at', merchant.email ?? html`<span class="quiet">Not set</span>`],
      [
        'Secret keys in forms',
        merchant.formsTakeSecretKeys ? pill('taken', 'warn') : pill('refused', 'good'),
      ],
      [
        'Pages that may frame the checkout',
        merchant.brand.embedHosts.join(', ') || html`<span class="quiet">None</span>`,
      ],
      ['Hosts of forms', html`Each form key has its own: <a href="${home}/keys">Keys</a>`],
      ['Links end', 'After 24 hours, unless they are paid'],
      ['Languages of the checkout', 'The customer’s own where there is one, else English'],
    ])}
    ${section('Currencies', currencies(ask, merchant, isOwner), isOwner ? onLink(ask) : undefined)}
    ${section('Fee plan', feePlan(merchant))}`,
  }
}

function onLink(ask: MemberAsk): Html {
  return html`<a class="button plain" href="${pathOf(ask, '/payments/currencies')}">Switch one on</a>`
}

function currencies(ask: MemberAsk, merchant: Merchant, isOwner: boolean): Html {
  const canSwitchOff = isOwner && merchant.currencies.size > 1
  return html`<ul class="rows">
    ${[...merchant.currencies.keys()].map(
      (code) => html`<li>
        <div class="what"><b>${code}</b><span class="quiet small">${currencyName(code)}</span></div>
        ${canSwitchOff && html`<a class="button plain" href="${pathOf(ask, `/payments/currencies/${code}`)}" aria-label="Switch off ${code}">Switch off</a>`}
      </li>`,
    )}
  </ul>`
}

/** It is the operator's: shown here, and changed elsewhere. */
function feePlan({ feeBasisPoints, currencies: on, refundFees }: Merchant): Html {
  const share = (feeBasisPoints / 100).toFixed(2)
  return html`${facts([
    ['Share of each payment', html`<span class="figures">${share} %</span>`],
    ...[...on].map(([code, minor]) => [`Fixed part in ${code}`, amount(minor, code)] as const),
    ['Of what is refunded', refundFees ? 'The fee goes back to you' : 'The fee stays'],
  ])}
    <p class="hint">Whoever runs this Florin sets the fee plan. A payment keeps the fee that it was made with.</p>`
}

export function currencyOnPage(ask: MemberAsk, merchant: Merchant, mistakes: Mistakes = {}): Content {
  const off = currencyCodes.filter((code) => !merchant.currencies.has(code))
  const choices = off.map((code): Choice => [code, `${code} · ${currencyName(code)}`])
  return {
    title: 'Switch a currency on',
    styles,
    body: html`${head('Switch a currency on', { crumb: crumb(pathOf(ask, '/payments'), 'Payment settings') })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          pathOf(ask, '/payments/currencies'),
          html`${select('currency', 'Currency', choices, ask.fields.get('currency') ?? 'EUR')}
            <p class="hint">Live payments need a network that takes it: Going live says whether one does.</p>
            <div><button class="go">Switch it on</button></div>`,
        )}
      </div>`,
  }
}

export function currencyOffPage(ask: MemberAsk, code: string, mistakes: Mistakes = {}): Content {
  const back = pathOf(ask, '/payments')
  return {
    title: `Switch ${code} off`,
    styles,
    body: html`${head(`Switch ${code} off?`, { crumb: crumb(back, 'Payment settings') })}
      <div class="card form">
        ${problems(mistakes)}
        <ul>
          <li>No new payment is made in ${code}, in test and live mode: programs get a refusal that says so.</li>
          <li>Payment links in ${code} say that payment is not possible.</li>
          <li>Payments that are there can be paid and refunded.</li>
        </ul>
        ${form(ask, `${back}/currencies/${code}`, html`<div class="actions"><button class="danger">Switch ${code} off</button><a class="button plain" href="${back}">Leave it</a></div>`)}
      </div>`,
  }
}

const labels = { email: 'E-mail address', embed_hosts: 'Hosts' }

export function editPaymentsPage(
  ask: MemberAsk,
  merchant: Merchant,
  typed: FormFields = new Map(),
  mistakes: Mistakes = {},
): Content {
  const said = inLabels(mistakes, labels)
  const path = pathOf(ask, '/payments')
  const isTaken = (typed.get('secret_keys') ?? (merchant.formsTakeSecretKeys ? 'on' : 'off')) === 'on'
  const hosts = typed.get('embed_hosts') ?? merchant.brand.embedHosts.join('\n')
  return {
    title: 'Edit payment settings',
    styles,
    body: html`${head('Edit payment settings', { crumb: crumb(path, 'Payment settings') })}
      <div class="card form">
        ${problems(said)}
        ${form(
          ask,
          `${path}/edit`,
          html`${field(
            {
              name: 'email',
              label: 'Told of trouble at',
              type: 'email',
              autocomplete: 'off',
              value: typed.get('email') ?? merchant.email ?? '',
              hint: 'A receiver that fails, a key that is public, a bank that asks for money back',
            },
            said,
          )}
            <fieldset>
              <legend>Secret keys in forms on web pages</legend>
              ${radio('secret_keys', 'off', !isTaken, 'Refused', 'Form keys do the same, and whoever reads one can do nothing else with it')}
              ${radio('secret_keys', 'on', isTaken, 'Taken', 'Everybody who opens such a page can read the key. Yours is then shown as public')}
            </fieldset>
            ${area({ name: 'embed_hosts', label: 'Pages that may frame the checkout', hint: 'Hosts, one a line, such as shop.example.com', value: hosts }, said)}
            <div><button class="go">Save</button></div>`,
        )}
      </div>`,
  }
}
