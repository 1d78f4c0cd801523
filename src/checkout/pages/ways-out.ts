import { html, type Html } from '../../http/html.ts'
import { addressOf, returnsTo, sentence, type PageModel } from '../page-model.ts'

// Out of the payment: back to the shop, which cancels nothing, and cancelling.

export function waysOut(model: PageModel): Html {
  return html`<div class="ways-out">${backLink(model)} ${cancelForm(model)}</div>`
}

/** The payment is unchanged, and the shop sees `status=pending`. */
export function backLink(model: PageModel): Html | undefined {
  const address = returnsTo(model)
  if (address === undefined) return undefined
  return html`<a class="back" href="${address}" rel="noreferrer">${sentence(model, 'returnTo')}</a>`
}

/** Two steps without a script: cancelling can't be undone. */
function cancelForm(model: PageModel): Html {
  const { words } = model.language
  return html`<details class="cancel">
    <summary>${words.cancelAsk}</summary>
    <form method="post" action="${addressOf(model, '/cancel')}">
      <input type="hidden" name="token" value="${model.token}" />
      <p>${words.cancelExplain}</p>
      <button class="plain" type="submit">${words.cancelYes}</button>
    </form>
  </details>`
}
