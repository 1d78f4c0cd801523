import { html, type Html } from '../../../platform/http/html.ts'
import type { Merchant } from '../../../core/merchants/authenticate.ts'
import { languageName } from '../../../core/merchants/brand/languages.ts'
import { formatMinutes } from '../../../core/merchants/times/pay-within.ts'
import { currencyCodes, currencyName } from '../../../platform/money/currencies.ts'
import type { Content, MemberAsk } from '../../ask.ts'
import { amount, pill, select, type Choice } from '../../parts/lists.ts'
import { crumb, form, head, problems, type Mistakes } from '../../parts/parts.ts'
import { facts, section } from '../../parts/things.ts'
import { mayChange, pathOf, styles } from '../parts.ts'
import { firstMethods } from './read-settings.ts'

// A shop's payment settings and fees.

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
      ['Alert e-mail', merchant.email ?? html`<span class="quiet">Not set</span>`],
      ['Sign-out from the dashboard', `After ${formatMinutes(merchant.idleMinutes)} without use`],
      [
        'Secret keys in forms',
        merchant.formsTakeSecretKeys ? pill('accepted', 'warn') : pill('refused', 'good'),
      ],
      [
        'Sites that can embed the checkout',
        merchant.brand.embedHosts.join(', ') || html`<span class="quiet">None</span>`,
      ],
      ['Form hosts', html`Set on each form key: <a href="${home}/keys">Keys</a>`],
      ['Time to pay', formatMinutes(merchant.payWithinMinutes)],
      [
        'After paying, customers see',
        merchant.brand.receiptFirst ? 'The receipt, with a button back to you' : 'Your page (return_url)',
      ],
      ['First way to pay', firstMethods[merchant.brand.methodOrder[0] ?? 'card'].name],
      ['Languages of the checkout', listLanguages(merchant.brand.languages)],
    ])}
    ${section('Currencies', currencies(ask, merchant, isOwner), isOwner ? onLink(ask) : undefined)}
    ${section('Fee plan', feePlan(merchant))}`,
  }
}

function listLanguages(codes: readonly string[]): string {
  const [first, ...others] = codes.map(languageName)
  if (first === undefined) return 'All; English by default'
  return others.length === 0 ? first : `${[first, ...others].join(', ')}; ${first} by default`
}

function onLink(ask: MemberAsk): Html {
  return html`<a class="button plain" href="${pathOf(ask, '/payments/currencies')}">Turn a currency on or off</a>`
}

function currencies(ask: MemberAsk, merchant: Merchant, isOwner: boolean): Html {
  const canSwitchOff = isOwner && merchant.currencies.size > 1
  return html`<ul class="rows">
    ${[...merchant.currencies.keys()].map(
      (code) => html`<li>
        <div class="what"><b>${code}</b><span class="quiet small">${currencyName(code)}</span></div>
        ${canSwitchOff && html`<a class="button plain" href="${pathOf(ask, `/payments/currencies/${code}`)}" aria-label="Turn off ${code}">Turn off</a>`}
      </li>`,
    )}
    ${[...merchant.currenciesOff.keys()].map(
      (code) => html`<li>
        <div class="what"><b>${code}</b><span class="quiet small">${currencyName(code)}</span></div>
        ${pill('off', 'warn')}
      </li>`,
    )}
  </ul>
  <p class="hint">Test mode accepts every currency. Live mode accepts every currency your networks support, except the ones turned off here.</p>`
}

/** Read-only: the operator changes it. */
function feePlan({ feeBasisPoints, currencies: on, refundFees }: Merchant): Html {
  const share = (feeBasisPoints / 100).toFixed(2)
  return html`${facts([
    ['Percentage of each payment', html`<span class="figures">${share}%</span>`],
    ...[...on].map(([code, minor]) => [`Fixed fee in ${code}`, amount(minor, code)] as const),
    ['Fees on refunds', refundFees ? 'Returned to you' : 'Not returned'],
  ])}
    <p class="hint">The operator of this Florin sets the fee plan. Each payment keeps the fee it was created with.</p>`
}

export function currencyOnPage(ask: MemberAsk, merchant: Merchant, mistakes: Mistakes = {}): Content {
  const choices = currencyCodes.map((code): Choice => {
    const isOff = merchant.currenciesOff.has(code) ? ' · off' : ''
    return [code, `${code} · ${currencyName(code)}${isOff}`]
  })
  return {
    title: 'Turn a currency on or off',
    styles,
    body: html`${head('Turn a currency on or off', { crumb: crumb(pathOf(ask, '/payments'), 'Payment settings') })}
      <div class="card form">
        ${problems(mistakes)}
        ${form(
          ask,
          pathOf(ask, '/payments/currencies'),
          html`${select('currency', 'Currency', choices, ask.fields.get('currency') ?? 'EUR')}
            <p class="hint">Live payments need a network that supports it. Going live shows whether one does.</p>
            <div class="actions">
              <button class="go">Turn on</button>
              <button class="plain" name="off" value="yes">Turn off</button>
            </div>`,
        )}
      </div>`,
  }
}

export function currencyOffPage(ask: MemberAsk, code: string, mistakes: Mistakes = {}): Content {
  const back = pathOf(ask, '/payments')
  return {
    title: `Turn ${code} off`,
    styles,
    body: html`${head(`Turn ${code} off?`, { crumb: crumb(back, 'Payment settings') })}
      <div class="card form">
        ${problems(mistakes)}
        <ul>
          <li>New live payments in ${code} are refused with an error that says so. Test mode accepts every currency.</li>
          <li>Live payment links in ${code} say that payment isn’t possible.</li>
          <li>Existing payments can still be paid and refunded.</li>
        </ul>
        ${form(ask, `${back}/currencies/${code}`, html`<div class="actions"><button class="danger">Turn ${code} off</button><a class="button plain" href="${back}">Cancel</a></div>`)}
      </div>`,
  }
}
