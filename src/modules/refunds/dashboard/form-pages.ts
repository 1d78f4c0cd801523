import { html, type Html } from '../../../platform/http/html.ts'
import { displayAmount, plainAmount } from '../../../platform/money/money.ts'
import type { AttemptRow } from '../../../core/payments/support/payment-story.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import { crumb, field, form, head, problems, type Mistakes } from '../../../dashboard/parts/parts.ts'
import { facts } from '../../../dashboard/parts/things.ts'
import { paymentPath } from '../../../dashboard/payments/filter.ts'
import { paymentStyles } from '../../../dashboard/payments/list-page.ts'
import type { TypedRefund } from './read-refund-form.ts'
import { describeMethod } from '../../../dashboard/payments/words.ts'

// Refunding a payment: a form, then a confirmation.

export type RefundModel = {
  readonly payment: PaymentRow
  readonly leftMinor: bigint
  /** The refund_ref, so a form sent twice makes one refund. */
  readonly refundRef: string
  readonly typed?: { readonly amount?: string | undefined; readonly reason?: string | undefined }
}

export function refundFormPage(ask: MemberAsk, model: RefundModel, mistakes: Mistakes = {}): Content {
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
  /** What the shop keeps of the payment then. */
  readonly kept: Html | string
}

export function confirmRefundPage(ask: MemberAsk, model: ConfirmModel): Content {
  const { payment, request, paidBy, kept } = model
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
          ['You keep', kept],
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
