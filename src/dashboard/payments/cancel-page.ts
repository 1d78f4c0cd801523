import { html } from '../../platform/http/html.ts'
import { displayAmount } from '../../platform/money/money.ts'
import type { PaymentRow } from '../../core/payments/support/search-payments.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { crumb, form, head, problems, type Mistakes } from '../parts/parts.ts'
import { paymentPath } from './filter.ts'
import { paymentStyles } from './list-page.ts'

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
