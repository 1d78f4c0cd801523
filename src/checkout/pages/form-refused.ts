import type { Refusal } from '../../errors/refusals.ts'
import { html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'

// What a customer sees when the shop's form can't start a payment. It is the shop's to mend, so the rule that failed
// is there for them to pass on, but the first thing said is what it means for the money.

export function formRefusedPage(
  refusal: Refusal,
  back: { shop: string; url?: string } | undefined,
  requestId: string,
): Page {
  const shop = back?.shop ?? 'the shop'
  const busy = refusal.status === 503 || refusal.status === 429
  return {
    title: 'The payment could not be started',
    body: html`<main class="letter">
      <div class="card">
        <h1>The payment could not be started</h1>
        <p>No money has been taken.</p>
        <p>${
          busy
            ? 'We are busy at the moment. Wait a little, go back to the shop and try again.'
            : `Something in the payment page of ${shop} is not right. Go back and try again, and if it stays like this, tell ${shop} what stands below.`
        }</p>
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
