import { html, type Html } from '../../platform/http/html.ts'
import { isCurrency } from '../../platform/money/currencies.ts'
import { displayAmount } from '../../platform/money/money.ts'
import { whyNotAcceptable } from '../../core/payments/attempts/hosted/held.ts'
import type { AttemptRow } from '../../core/payments/support/payment-story.ts'
import type { PaymentRow } from '../../core/payments/support/search-payments.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, form, head, problems, type Mistakes } from '../parts/parts.ts'
import { facts, section } from '../parts/things.ts'
import { paymentPath } from '../payments/filter.ts'
import { paymentStyles } from '../payments/list-page.ts'
import { describeMethod } from '../payments/words.ts'

// A charge that the rules don't decide: another amount than the payment's, or one too many that the network doesn't return.

/** The charge of a payment that waits for a person. */
export function openCharge(attempts: readonly AttemptRow[]): AttemptRow | undefined {
  return attempts.find(
    ({ state, next_check_at }) => state === 'held' || (state === 'surplus' && next_check_at === null),
  )
}

/** On the payment's page, above everything else. */
export function chargeNotice(
  ask: MemberAsk,
  payment: PaymentRow,
  attempts: readonly AttemptRow[],
): Html | undefined {
  const charge = openCharge(attempts)
  if (!charge) return undefined
  const mayDecide = hasRight(ask.place.role, 'payments.refund')
  return html`<div class="problem">
    <h2>${titleOf(charge)}</h2>
    <p>${meaningOf(charge, payment)}</p>
    ${
      mayDecide
        ? html`<div><a class="button go" href="${paymentPath(ask, payment)}/charge">Decide what happens</a></div>`
        : html`<p>An owner or someone from support can decide what happens to the money.</p>`
    }
  </div>`
}

function titleOf({ state }: AttemptRow): string {
  return state === 'held' ? 'The network charged another amount' : 'A second charge wasn’t returned'
}

function meaningOf(charge: AttemptRow, payment: PaymentRow): string {
  const asked = displayAmount(payment.amount_minor, payment.currency, 'en-GB')
  return charge.state === 'held'
    ? `It took ${charged(charge)} instead of ${asked}. The payment is not paid, and the customer can’t pay again until you decide.`
    : `The network took ${charged(charge)} that nobody owes, and did not return it. Florin no longer asks.`
}

/** A network may name a currency that Florin doesn't know. */
function charged({ charged_minor: minor, charged_currency: currency }: AttemptRow): string {
  if (minor === null || currency === null) return 'an unknown amount'
  return isCurrency(currency)
    ? displayAmount(minor, currency, 'en-GB')
    : `${minor} ${currency} (in minor units)`
}

export function chargePage(
  ask: MemberAsk,
  { payment, charge }: { readonly payment: PaymentRow; readonly charge: AttemptRow | undefined },
  mistakes: Mistakes = {},
): Content {
  const path = paymentPath(ask, payment)
  return {
    title: `Charge · ${payment.tx_ref}`,
    styles: paymentStyles,
    body: html`${head(charge ? titleOf(charge) : 'Nothing to decide', { crumb: crumb(path, payment.tx_ref) })}
      ${problems(mistakes)}
      ${
        charge
          ? decisions(ask, payment, charge)
          : html`<div class="card form">
              <p>No charge of this payment needs a decision. Its timeline shows who decided what.</p>
              <div><a class="button plain" href="${path}">Back to the payment</a></div>
            </div>`
      }`,
  }
}

function decisions(ask: MemberAsk, payment: PaymentRow, charge: AttemptRow): Html {
  return html`${facts([
    ['Asked for', displayAmount(payment.amount_minor, payment.currency, 'en-GB')],
    ['Charged', html`<b class="figures">${charged(charge)}</b>`],
    ['From', html`${payment.first_name} ${payment.last_name}<br />${payment.email}`],
    ['By', describeMethod(ask, charge)],
    ['At the network', html`<code>${charge.charge_reference ?? charge.connector_reference ?? ''}</code>`],
  ])}
    ${charge.state === 'held' ? heldDecisions(ask, payment, charge) : stuckDecisions(ask, payment, charge)}`
}

function heldDecisions(ask: MemberAsk, payment: PaymentRow, charge: AttemptRow): Html {
  const reason = whyNotAcceptable(charge, payment)
  const isLess = (charge.charged_minor ?? 0n) < payment.amount_minor
  return html`${section(
    isLess ? 'Accept it as paid in part' : 'Accept it',
    html`<div class="card stack">
      ${
        reason === undefined
          ? html`<p>
                The payment becomes paid, with ${charged(charge)} as its amount: that is what your program, the receipt,
                refunds and exports say from then on.
                ${payment.items !== null && 'Its list of items goes, as it no longer adds up.'}
              </p>
              ${decision(ask, payment, charge, { to: 'accept', label: `Accept ${charged(charge)}`, kind: 'go' })}`
          : html`<p>${reason}.</p>`
      }
    </div>`,
  )}
  ${section(
    'Send it back',
    html`<div class="card stack">
      <p>Florin asks the network to return ${charged(charge)} to the customer, who can then pay again.</p>
      ${decision(ask, payment, charge, { to: 'send-back', label: 'Send it back', kind: 'plain' })}
    </div>`,
  )}`
}

function stuckDecisions(ask: MemberAsk, payment: PaymentRow, charge: AttemptRow): Html {
  return html`${section(
    'Ask the network again',
    html`<div class="card stack">
      <p>Florin asks the network once more to return ${charged(charge)}, with the same request: it can’t go back twice.</p>
      ${decision(ask, payment, charge, { to: 'return', label: 'Ask again', kind: 'go' })}
    </div>`,
  )}
  ${section(
    'You have returned it yourself',
    html`<div class="card stack">
      <p>If you refunded the charge in the network’s own dashboard, say so, and Florin stops reminding you.</p>
      ${decision(ask, payment, charge, { to: 'returned', label: 'Mark as returned', kind: 'plain' })}
    </div>`,
  )}`
}

function decision(
  ask: MemberAsk,
  payment: PaymentRow,
  charge: AttemptRow,
  { to, label, kind }: { readonly to: string; readonly label: string; readonly kind: 'go' | 'plain' },
): Html {
  return form(
    ask,
    `${paymentPath(ask, payment)}/charge/do/${to}`,
    html`<input type="hidden" name="attempt" value="${charge.attempt}" />
      <div><button class="${kind}">${label}</button></div>`,
  )
}
