import { renderSVG } from 'uqr'
import { html, trusted, type Html } from '../../platform/http/html.ts'
import { displayAmount } from '../../platform/money/money.ts'
import { languageName } from '../../core/merchants/brand/languages.ts'
import { itemsOf, totalOf } from '../../core/payments/items.ts'
import { lossOf, describeLoss } from '../../core/payments/disputed/loss.ts'
import { checkoutUrl } from '../../core/payments/present.ts'
import type { PaymentRow } from '../../core/payments/support/search-payments.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { addressOf, amount, deliveryPill, table } from '../parts/lists.ts'
import { crumb, press, problems, formatExactly, type Mistakes, shopTime } from '../parts/parts.ts'
import { chargeNotice } from '../charges/charge-page.ts'
import {
  codeBox,
  copyable,
  customerLink,
  facts,
  section,
  tabs,
  timeline,
  type Fact,
} from '../parts/things.ts'
import { listPath, paymentPath } from './filter.ts'
import { happeningsOf } from './happenings.ts'
import { hideCardData } from './hide-card-data.ts'
import { indentJson } from './indent-json.ts'
import { paymentStyles, standingOf } from './list-page.ts'
import type { PaymentModel } from './model.ts'
import { notesOf } from './notes-part.ts'
import { describeMethod } from './words.ts'

// One payment: amount, actions, facts and timeline.

export function paymentPage(ask: MemberAsk, model: PaymentModel, mistakes: Mistakes = {}): Content {
  const { payment } = model
  return {
    title: `${displayAmount(payment.amount_minor, payment.currency, 'en-GB')} · ${payment.tx_ref}`,
    styles: paymentStyles,
    body: html`${paymentHead(ask, payment, actions(ask, model), isHeld(model) ? 'held' : undefined)} ${problems(mistakes)}
      ${chargeNotice(ask, payment, model.attempts)} ${model.parts.map(({ notice }) => notice)}
      <div class="payment">
        <div class="aside">
          ${payment.state === 'pending' && !isHeld(model) && link(ask, payment)}
          ${section('Details', facts(paymentFacts(ask, model)))}
        </div>
        <div class="story">
          ${section('Timeline', timeline(happeningsOf(ask, model), shopTime(ask)))}
          ${notesOf(ask, model, mistakes)} ${notifications(ask, model)}
          ${payment.items !== null && section('Items', items(payment))}
          ${payment.meta !== null && section('Meta', codeBox(indentJson(hideCardData(payment.meta)), 'Meta'))}
        </div>
      </div>`,
  }
}

/** A network charged another amount: nobody can pay until somebody decides. */
function isHeld({ attempts }: Pick<PaymentModel, 'attempts'>): boolean {
  return attempts.some(({ state }) => state === 'held')
}

export function paymentHead(ask: MemberAsk, payment: PaymentRow, action?: Html, lastAttempt?: string): Html {
  const path = paymentPath(ask, payment)
  return html`<div class="head">
      <div>
        ${crumb(listPath(ask), 'Payments')}
        <div class="sum">
          <h1>${displayAmount(payment.amount_minor, payment.currency, 'en-GB')}</h1>
          ${standingOf(payment, lastAttempt)}
        </div>
        <p class="quiet ref">${payment.tx_ref}</p>
      </div>
      ${action}
    </div>
    ${tabs('Views of this payment', [
      { label: 'Overview', to: path, isHere: ask.here.split('?')[0] === path },
      { label: 'JSON', to: `${path}/json`, isHere: ask.here.split('?')[0] === `${path}/json` },
    ])}`
}

export function jsonPage(ask: MemberAsk, payment: PaymentRow, text: string): Content {
  return {
    title: `JSON · ${payment.tx_ref}`,
    styles: paymentStyles,
    body: html`${paymentHead(ask, payment)}
      <p class="quiet call">The response of <code>GET /api/transaction/${encodeURIComponent(payment.tx_ref)}</code>.</p>
      <div id="json" class="raw">${codeBox(text, 'The payment as JSON')}</div>
      <div><button type="button" class="plain" data-copy="json" hidden>Copy</button></div>`,
  }
}

function actions(ask: MemberAsk, { payment, parts }: PaymentModel): Html | undefined {
  const mayCancel = payment.state === 'pending' && hasRight(ask.place.role, 'payments.cancel')
  const all = [
    ...parts.flatMap(({ action }) => action ?? []),
    ...(mayCancel
      ? [html`<a class="button plain" href="${paymentPath(ask, payment)}/cancel">Cancel payment</a>`]
      : []),
  ]
  return all.length > 0 ? html`<div class="actions">${all}</div>` : undefined
}

function link(ask: MemberAsk, payment: PaymentRow): Html {
  const url = checkoutUrl(payment, ask.dashboard.baseUrl)
  const picture = renderSVG(url, { ecc: 'M', border: 1 })
  return section(
    'Payment link',
    html`<div class="card link">
      ${copyable(url, 'Payment link')}
      <div class="qr" role="img" aria-label="The payment link as a QR code">${trusted(picture)}</div>
      <p class="quiet small">Works until ${formatExactly(new Date(payment.expires_at), shopTime(ask))}.</p>
    </div>`,
  )
}

function paymentFacts(
  ask: MemberAsk,
  { payment, attempts, projectName, parts, customerPath }: PaymentModel,
): Fact[] {
  const paid = attempts.find(({ state }) => state === 'succeeded') ?? attempts.at(-1)
  const path = listPath(ask)
  const text = (value: string | null): string | undefined => value ?? undefined
  return [
    [
      'Customer',
      html`${payment.first_name} ${payment.last_name}<br />${customerLink(payment.email, customerPath)}`,
    ],
    ['Method', paid && describeMethod(ask, paid)],
    ...parts.flatMap(({ methodFacts = [] }) => methodFacts),
    ['Reference', html`<code>${payment.reference}</code>`],
    ...parts.flatMap(({ moneyFacts = [] }) => moneyFacts),
    ['Lost on top of the payment', describeLoss(lossOf(payment))],
    [
      'Project',
      projectName === undefined
        ? undefined
        : html`<a href="${addressOf(path, { project: payment.project_id ?? '' })}">${projectName}</a>`,
    ],
    ['Title', text(payment.title)],
    ['Description', text(payment.description)],
    ['Invoice number', text(payment.invoice_number)],
    ['Created', formatExactly(new Date(payment.created_at), shopTime(ask))],
    ['Notifications to', text(payment.callback_url)],
    ['Returns to', text(payment.return_url)],
    ['Language', payment.language === null ? undefined : languageName(payment.language)],
  ]
}

function items(payment: PaymentRow): Html {
  const { currency } = payment
  return table({
    label: 'Items',
    rows: itemsOf(payment),
    columns: [
      { label: 'Item', draw: ({ name }) => name },
      { label: 'Quantity', draw: ({ quantity }) => quantity.toLocaleString('en-GB'), isFigure: true },
      { label: 'Each', draw: ({ unitMinor }) => amount(unitMinor, currency), isFigure: true },
      { label: 'Tax', draw: ({ taxRate }) => (taxRate === undefined ? '' : `${taxRate}%`), isFigure: true },
      { label: 'Total', draw: (item) => amount(totalOf(item), currency), isFigure: true },
    ],
  })
}

/** The current state of each, with a button to resend. The timeline has every attempt. */
function notifications(ask: MemberAsk, { payment, notifications: all }: PaymentModel): Html | undefined {
  const mayResend = hasRight(ask.place.role, 'notifications.resend')
  // Test mode would keep the e-mail again.
  const isResendable = ({ target, state }: (typeof all)[number]): boolean =>
    mayResend && target !== '' && state !== 'kept'
  if (all.length === 0) return undefined
  // After “Send again” the list refreshes until the result is there.
  const isSending = ask.notice === 'notification_resent' && all.some(({ state }) => state === 'waiting')
  return section(
    'Notifications and e-mails',
    html`<ul class="rows" id="notifications" ${isSending && html`data-again="notifications"`}>
      ${all.map(
        (one) => html`<li>
          <div class="what">
            <b>${one.kind === 'mail' ? 'E-mail' : 'Notification'} ${one.event}</b>
            <span class="quiet small ref">${one.target === '' ? 'no callback_url' : one.target}</span>
            ${
              one.next_try_at !== null &&
              one.state === 'waiting' &&
              html`<span class="quiet small">Next attempt: ${formatExactly(new Date(one.next_try_at), shopTime(ask))}</span>`
            }
          </div>
          ${deliveryPill(one)}
          ${isResendable(one) && press(ask, `${paymentPath(ask, payment)}/do/resend`, 'Send again', { id: one.id })}
        </li>`,
      )}
    </ul>`,
  )
}
