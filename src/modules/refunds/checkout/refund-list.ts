import { html, type Html } from '../../../platform/http/html.ts'
import { plainText } from '../../../platform/input/isolate.ts'
import { displayMoney, displayTime } from '../../../core/checkout/language.ts'
import type { RefundRow } from '../find-refunds.ts'
import { addressOf, sentence, type PageModel } from '../../../core/checkout/page-model.ts'

/** The completed refunds, each with its receipt. Pending and failed refunds don't concern the customer. */
export function refundList(model: PageModel, all: readonly RefundRow[]): Html | undefined {
  const refunds = all.filter(({ state }) => state === 'succeeded')
  if (refunds.length === 0) return undefined
  const { language } = model
  return html`<dl class="facts">
    ${refunds.map((refund) => {
      const amount = displayMoney(refund.amount_minor, refund.currency, language)
      return html`<div>
        <dt>${sentence(model, 'refundOf', { amount })}</dt>
        <dd>
          <time datetime="${refund.updated_at}">${displayTime(refund.updated_at, language, model.view.brand.timeZone)}</time>
          ${refund.reason !== null && html`<br /><bdi>${plainText(refund.reason)}</bdi>`}
          <br /><a href="${receiptAddress(model, refund.id)}" download>${language.words.refundReceipt} (PDF)</a>
        </dd>
      </div>`
    })}
  </dl>`
}

/** Part of the money was refunded, and the payment remains. */
export function partNotice(model: PageModel): Html | undefined {
  const { refunded_minor, currency, state } = model.view.payment
  if (state !== 'success' || refunded_minor === 0n) return undefined
  const refunded = displayMoney(refunded_minor, currency, model.language)
  return html`<p>${sentence(model, 'refundedPart', { refunded })}</p>`
}

function receiptAddress(model: PageModel, id: string): string {
  const address = addressOf(model, `/refund/${id}/receipt.pdf`)
  if (model.receiptProof === undefined) return address
  return `${address}${model.isChosen ? '&' : '?'}proof=${model.receiptProof}`
}
