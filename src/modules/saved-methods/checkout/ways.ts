import { html, type Html } from '../../../platform/http/html.ts'
import { addressOf, fillIn, type PageModel } from '../../../core/checkout/page-model.ts'
import { lock } from '../../../core/checkout/parts/marks.ts'
import { savedMethodWords } from '../words/saved-methods.ts'
import type { SavedOffer } from './offers.ts'
import { nameMethod } from './name-method.ts'

// Paying with a saved method by one press.

/** One button for each saved method, above all other ways to pay. */
export function savedWays(model: PageModel, saved: readonly SavedOffer[]): Html {
  const { language } = model
  const { payWith } = savedMethodWords[language.code]
  return html`<ul class="ways">
    ${saved.map(
      (method, index) => html`<li>
        <form method="post" action="${addressOf(model, '/pay-saved')}" data-once>
          <input type="hidden" name="token" value="${model.token}" />
          <input type="hidden" name="method" value="${method.id}" />
          <button class="${index === 0 ? 'go' : 'plain'} way" type="submit">
            ${index === 0 && lock}<span>${fillIn(model, payWith, { method: nameMethod(method, language) })}</span>
          </button>
        </form>
      </li>`,
    )}
  </ul>`
}
