import type { Refusal } from '../../errors/refusals.ts'
import { html, type Html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import type { StartedBefore } from '../../payments/api/started-before.ts'
import type { PaymentState } from '../../payments/state-machine.ts'
import { styles } from '../assets/assets.ts'

// What a customer sees when the shop's form can't start a payment. It is the shop's to mend, so the rule that failed
// is there for them to pass on, but the first thing said is what it means for the money.

export type WayBack = { readonly shop: string; readonly url?: string }

export function formRefusedPage(
  refusal: Refusal,
  back: WayBack | undefined,
  before: StartedBefore | undefined,
  requestId: string,
): Page {
  const shop = back?.shop ?? 'the shop'
  const isTaken = refusal.code === 'tx_ref_taken'
  const title = isTaken ? 'This payment was started before' : 'The payment could not be started'
  return {
    title,
    styles: [styles],
    body: html`<main class="letter">
      <div class="card">
        <h1>${title}</h1>
        ${isTaken ? whatBecame(before, shop) : whatToDo(refusal, shop)}
        ${back?.url !== undefined && html`<p><a href="${back.url}" rel="noreferrer">Back to ${shop}</a></p>`}
        <div class="aside">
          <p class="quiet">For ${shop}</p>
          <p><code>${refusal.message}</code></p>
          <p class="quiet"><code>${refusal.code}</code> · <code>${requestId}</code></p>
        </div>
      </div>
    </main>`,
  }
}

function whatToDo(refusal: Refusal, shop: string): Html {
  const busy = refusal.status === 503 || refusal.status === 429
  return html`<p>No money has been taken.</p>
    <p>${
      busy
        ? 'We are busy at the moment. Wait a little, go back to the shop and try again.'
        : `Something in the payment page of ${shop} is not right. Go back and try again, and if it stays like this, tell ${shop} what stands below.`
    }</p>`
}

function whatBecame(before: StartedBefore | undefined, shop: string): Html {
  const unsure = html`<p>If you have paid, you do not have to pay again. If you are not sure, ask ${shop}.</p>`
  if (!before) return unsure
  const ended = html`<p>It ended without being paid. To pay, place your order with ${shop} anew.</p>`
  const sentences: Readonly<Record<PaymentState, Html>> = {
    pending: html`<p>No harm is done: you can go on where you stopped.</p>
      <a class="go button" href="${before.checkoutUrl}">Go on to the payment</a>`,
    success: html`<p>It has been paid, and you do not have to pay again.</p>`,
    failed: ended,
    cancelled: ended,
    expired: ended,
    refunded: html`<p>It was paid, and the money was given back.</p>`,
    reversed: unsure,
  }
  return sentences[before.state]
}
