import { html, type Html } from '../../platform/http/html.ts'
import { plainAmount } from '../../platform/money/money.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import type { Content, LiveFinding, PersonAsk } from '../ask.ts'
import { idField } from '../once.ts'
import { crumb, field, form, head, press, problems, type Mistakes } from '../parts/parts.ts'
import { facts, section } from '../parts/things.ts'
import { pathOf } from './frame.ts'
import { merchantPill } from './merchants-page.ts'

// One merchant for the operator: live or not, fees, suspension. None of its payments.

export function merchantPath(ask: PersonAsk, { id }: Pick<Merchant, 'id'>): string {
  return pathOf(ask, `/merchants/${id}`)
}

function stateOf({ isSuspended, liveEnabled }: Merchant) {
  if (isSuspended) return 'suspended'
  return liveEnabled ? 'live' : 'test'
}

export function merchantPage(
  ask: PersonAsk,
  merchant: Merchant,
  typed: ReadonlyMap<string, string> = new Map(),
  mistakes: Mistakes = {},
): Content {
  const path = merchantPath(ask, merchant)
  return {
    title: merchant.name,
    body: html`${head(merchant.name, { crumb: crumb(pathOf(ask), 'Merchants') })}
    ${facts([
      ['State', merchantPill(stateOf(merchant))],
      ['Number', html`<span class="figures">${merchant.id}</span>`],
      ['Alert e-mail', merchant.email ?? html`<span class="quiet">Not set</span>`],
      ['Currencies', [...merchant.currencies.keys()].join(', ')],
      ['Fees on refunds', merchant.refundFees ? 'Returned to the merchant' : 'Not returned'],
    ])}
    ${section('Live payments', livePart(ask, merchant, path))} ${section('Fee plan', feePart(ask, merchant, path, typed, mistakes))}
    ${section('Suspension', suspensionPart(ask, merchant, path))} ${section('Team', teamPart(ask, path))}`,
  }
}

function livePart(ask: PersonAsk, merchant: Merchant, path: string): Html {
  if (merchant.liveEnabled)
    return html`<div class="card form">
      <p>Live keys work. If you turn live payments off, live keys are refused; open payment links can still be paid.</p>
      <div>${press(ask, `${path}/do/live-off`, 'Turn live payments off')}</div>
    </div>`
  return html`<div class="card form">
    <p>Live keys are refused. Before you turn them on, Florin checks that networks, address, e-mail and database are ready.</p>
    <div><a class="button plain" href="${path}/live">Check and turn on</a></div>
  </div>`
}

function feePart(
  ask: PersonAsk,
  merchant: Merchant,
  path: string,
  typed: ReadonlyMap<string, string>,
  mistakes: Mistakes,
): Html {
  const share = (merchant.feeBasisPoints / 100).toFixed(2)
  return html`<div class="card form">
    ${problems(mistakes)}
    <p class="quiet">Applies to new payments. Existing payments keep their fee.</p>
    ${form(
      ask,
      `${path}/fees`,
      html`${field({ name: 'share', label: 'Percentage', value: typed.get('share') ?? share, isCode: true }, mistakes)}
      ${[...merchant.currencies].map(([currency, minor]) => {
        const name = `fixed_${currency}`
        const value = typed.get(name) ?? plainAmount(minor, currency)
        return field({ name, label: `Fixed fee in ${currency}`, value, isCode: true }, mistakes)
      })}
        <div><button class="plain">Save fee plan</button></div>`,
    )}
  </div>`
}

function suspensionPart(ask: PersonAsk, merchant: Merchant, path: string): Html {
  if (merchant.isSuspended)
    return html`<div class="card form">
      <p>Its keys are refused and customers can’t start a payment. Payments already under way continue.</p>
      <div>${press(ask, `${path}/do/resume`, `Resume ${merchant.name}`)}</div>
    </div>`
  return html`<div class="card form">
    <p>Stops the merchant at once: keys are refused, and checkout pages say that payment isn’t possible.</p>
    <div><a class="button danger" href="${path}/suspend">Suspend</a></div>
  </div>`
}

function teamPart(ask: PersonAsk, path: string): Html {
  return html`<div class="card form">
    <p class="quiet">Only its own team sees who belongs to it. If it has lost its owner, invite a new one.</p>
    ${form(
      ask,
      `${path}/owner`,
      html`${idField(ask.fields, 'inv')}
        ${field({ name: 'email', label: 'Owner’s e-mail address', type: 'email', autocomplete: 'off' }, {})}
        <div><button class="plain">Invite owner</button></div>`,
    )}
  </div>`
}

export function suspendPage(ask: PersonAsk, merchant: Merchant): Content {
  const path = merchantPath(ask, merchant)
  return {
    title: `Suspend ${merchant.name}`,
    body: html`${head(`Suspend ${merchant.name}?`, { crumb: crumb(path, merchant.name) })}
      <div class="card form">
        <ul>
          <li>Every key is refused, with an error that says why.</li>
          <li>Checkout pages say that payment isn’t possible right now.</li>
          <li>Attempts, refunds and disputes under way finish as usual; notifications continue.</li>
          <li>Its team can still sign in and sees that the shop is suspended.</li>
        </ul>
        ${form(ask, `${path}/suspend`, html`<div class="actions"><button class="danger">Suspend ${merchant.name}</button><a class="button plain" href="${path}">Cancel</a></div>`)}
      </div>`,
  }
}

/** The steps before live payments, each with what to do. */
export function livePage(ask: PersonAsk, merchant: Merchant, findings: readonly LiveFinding[]): Content {
  const path = merchantPath(ask, merchant)
  const missing = findings.filter(({ is }) => is === 'missing')
  const isSkippable = missing.every(({ skippable }) => skippable === true)
  return {
    title: `Live payments for ${merchant.name}`,
    body: html`${head(`Live payments for ${merchant.name}`, {
      crumb: crumb(path, merchant.name),
      lead: missing.length === 0 ? 'Ready.' : 'Some steps are missing.',
    })}
      <ul class="rows">
        ${findings.map(
          ({ is, what, remedy, skippable }) => html`<li>
            <div class="what">
              <span>${what}</span>${remedy !== undefined && html`<span class="quiet small">To do: ${remedy}</span>`}
            </div>
            <span class="pill ${is === 'ok' ? 'good' : skippable === true ? 'warn' : 'bad'}">${is === 'ok' ? 'ready' : 'missing'}</span>
          </li>`,
        )}
      </ul>
      ${isSkippable && switchOn(ask, path, missing.length > 0)}
      ${!isSkippable && html`<p><a class="button plain" href="${path}/live">Check again</a></p>`}`,
  }
}

function switchOn(ask: PersonAsk, path: string, isForced: boolean): Html {
  const label = isForced ? 'Turn on without the missing steps' : 'Turn live payments on'
  return press(ask, `${path}/live`, label, isForced ? { force: 'yes' } : {}, isForced ? 'danger' : 'go')
}
