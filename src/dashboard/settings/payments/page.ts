import { html, type Html } from '../../../http/html.ts'
import type { Merchant } from '../../../merchants/authenticate.ts'
import { languageName } from '../../../merchants/brand/languages.ts'
import { sayPayWithin } from '../../../merchants/pay-within.ts'
import { currencyCodes, currencyName } from '../../../money/currencies.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { amount, pill, select, type Choice } from '../../parts/lists.ts'
import { crumb, form, head, problems, type Mistakes } from '../../parts/parts.ts'
import { facts, section } from '../../parts/things.ts'
import { mayChange, pathOf, styles } from '../parts.ts'

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
      ['A payment can be paid for', sayPayWithin(merchant.payWithinMinutes)],
      [
        'After paying, customers see',
        merchant.brand.receiptFirst
          ? 'The receipt, with a button back to you'
          : 'Your page (return_url) at once',
      ],
      ['First way to pay', merchant.brand.methodOrder[0] === 'bank' ? 'Bank payments' : 'Cards and wallets'],
      ['Languages of the checkout', sayLanguages(merchant.brand.languages)],
    ])}
    ${section('Currencies', currencies(ask, merchant, isOwner), isOwner ? onLink(ask) : undefined)}
    ${section('Fee plan', feePlan(merchant))}`,
  }
}

function sayLanguages(codes: readonly string[]): string {
  const [first, ...others] = codes.map(languageName)
  if (first === undefined) return 'All; English for those who want another'
  return others.length === 0 ? first : `${[first, ...others].join(', ')}; ${first} for those who want another`
}

function onLink(ask: MemberAsk): Html {
  return html`<a class="button plain" href="${pathOf(ask, '/payments/currencies')}">Switch one on or off</a>`
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
    ${[...merchant.currenciesOff.keys()].map(
      (code) => html`<li>
        <div class="what"><b>${code}</b><span class="quiet small">${currencyName(code)}</span></div>
        ${pill('off', 'warn')}
      </li>`,
    )}
  </ul>
  <p class="hint">Test mode takes every currency. Live payments take every currency that your networks take, except those switched off here.</p>`
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
  const choices = currencyCodes.map((code): Choice => {
    const isOff = merchant.currenciesOff.has(code) ? ' · off' : ''
    return [code, `${code} · ${currencyName(code)}${isOff}`]
  })
  return {
    title: 'Switch a currency on or off',
    styles,
    body: html`${head('Switch a currency on or off', { crumb: crumb(pathOf(ask, '/payments'), 'Payment settings') })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          pathOf(ask, '/payments/currencies'),
          html`${select('currency', 'Currency', choices, ask.fields.get('currency') ?? 'EUR')}
            <p class="hint">Live payments need a network that takes it: Going live says whether one does.</p>
            <div class="actions">
              <button class="go">Switch it on</button>
              <button class="plain" name="off" value="yes">Switch it off</button>
            </div>`,
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
          <li>No new live payment is made in ${code}: programs get a refusal that says so. Test mode takes every currency.</li>
          <li>Live payment links in ${code} say that payment is not possible.</li>
          <li>Payments that are there can be paid and refunded.</li>
        </ul>
        ${form(ask, `${back}/currencies/${code}`, html`<div class="actions"><button class="danger">Switch ${code} off</button><a class="button plain" href="${back}">Leave it</a></div>`)}
      </div>`,
  }
}
