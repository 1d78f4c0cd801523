import { html, type Html } from '../../http/html.ts'
import { displayAmount, plainAmount } from '../../money/money.ts'
import type { AttemptRow } from '../../payments/support/payment-story.ts'
import type { PaymentRow } from '../../payments/support/search-payments.ts'
import type { PaidOut } from '../../payouts/find-payouts.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../parts/parts.ts'
import { facts } from '../parts/things.ts'
import { describeKept } from '../payouts/money-facts.ts'
import { paymentPath } from './filter.ts'
import { paymentStyles } from './list-page.ts'
import type { TypedRefund } from './read-refund-form.ts'
import { describeMethod } from './words.ts'

// Refunding and cancelling. Both confirm before they act.

export type RefundModel = {
  readonly payment: PaymentRow
  readonly leftMinor: bigint
  /** The refund_ref, so a form sent twice makes one refund. */
  readonly refundRef: string
  readonly typed?: { readonly amount?: string | undefined; readonly reason?: string | undefined }
}

export function refundPage(ask: MemberAsk, model: RefundModel, mistakes: Mistakes = {}): Content {
  const { payment, leftMinor, typed } = model
  const format = (minor: bigint): string => displayAmount(minor, payment.currency, 'en-GB')
  const path = paymentPath(ask, payment)
  const isPossible = payment.state === 'success' && leftMinor > 0n
  const fields = html`${hidden('refund_ref', model.refundRef)}
    ${field(
      {
        name: 'amount',
        label: `Amount in ${payment.currency}`,
        value: typed?.amount ?? plainAmount(leftMinor, payment.currency),
        hint: `Up to ${format(leftMinor)}. Enter less for a partial refund.`,
        autocomplete: 'off',
      },
      mistakes,
    )}
    ${field(
      {
        name: 'reason',
        label: 'Reason (optional)',
        value: typed?.reason,
        hint: 'The customer sees it in the e-mail and on the receipt.',
        autocomplete: 'off',
      },
      mistakes,
    )}
    <div><button class="go">Continue</button></div>`
  return {
    title: `Refund · ${payment.tx_ref}`,
    styles: paymentStyles,
    body: html`${head('Refund', { crumb: crumb(path, payment.tx_ref), lead: whose(payment, format) })}
      <div class="card form">
        ${problems(mistakes)}
        ${
          isPossible
            ? form(ask, `${path}/refund`, fields)
            : html`<p>There is nothing left to refund on this payment.</p>
                <div><a class="button plain" href="${path}">Back to the payment</a></div>`
        }
      </div>`,
  }
}

function whose(payment: PaymentRow, format: (minor: bigint) => string): string {
  return `${format(payment.amount_minor)} from ${payment.first_name} ${payment.last_name}`
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

export type ConfirmModel = RefundModel & {
  readonly request: TypedRefund
  readonly paidBy: AttemptRow | undefined
  readonly paidOut: PaidOut
}

export function confirmRefundPage(ask: MemberAsk, model: ConfirmModel): Content {
  const { payment, request, leftMinor, paidBy, paidOut } = model
  const format = (minor: bigint): string => displayAmount(minor, payment.currency, 'en-GB')
  const path = paymentPath(ask, payment)
  return {
    title: `Refund ${format(request.amountMinor)}`,
    styles: paymentStyles,
    body: html`${head(`Refund ${format(request.amountMinor)}?`, { crumb: crumb(path, payment.tx_ref) })}
      <div class="card form">
        ${facts([
          ['Refund', html`<b class="figures">${format(request.amountMinor)}</b>`],
          ['To', html`${payment.first_name} ${payment.last_name}<br />${payment.email}`],
          ['By', paidBy && describeMethod(ask, paidBy)],
          ['You keep', describeKept(payment, { leftMinor, amountMinor: request.amountMinor }, paidOut)],
          ['Reason', request.reason],
        ])}
        <p class="quiet">You can’t undo a refund.</p>
        ${form(
          ask,
          `${path}/refund/do/confirm`,
          html`${hidden('refund_ref', request.refundRef)}
            ${hidden('amount', plainAmount(request.amountMinor, payment.currency))}
            ${hidden('reason', request.reason ?? '')}
            <div class="actions">
              <button class="danger">Refund ${format(request.amountMinor)}</button>
              <a class="button plain" href="${path}">Go back</a>
            </div>`,
        )}
      </div>`,
  }
}

export function cancelPage(ask: MemberAsk, payment: PaymentRow, mistakes: Mistakes = {}): Content {
  const path = paymentPath(ask, payment)
  const sum = displayAmount(payment.amount_minor, payment.currency, 'en-GB')
  const isPossible = payment.state === 'pending'
  return {
    title: `Cancel · ${payment.tx_ref}`,
    styles: paymentStyles,
    body: html`${head('Cancel this payment?', { crumb: crumb(path, payment.tx_ref) })}
      <div class="card form">
        ${problems(mistakes)}
        ${
          isPossible
            ? html`<p>
                ${payment.first_name} ${payment.last_name} won’t be able to pay ${sum} with this link. No money has
                been taken. Florin notifies your server.
              </p>`
            : html`<p>This payment is ${payment.state}, so it can’t be cancelled.</p>`
        }
        ${form(
          ask,
          `${path}/cancel`,
          html`<div class="actions">
            ${isPossible && html`<button class="danger">Cancel this payment</button>`}
            <a class="button plain" href="${path}">Keep</a>
          </div>`,
        )}
      </div>`,
  }
}
