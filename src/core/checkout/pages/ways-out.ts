import { drawAround, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { Words } from '../language.ts'
import { addressOf, returnsTo, sentence, type PageModel } from '../page-model.ts'

// Out of the payment: back to the shop, which cancels nothing, and cancelling.

export function waysOut(model: PageModel): Html {
  return drawWaysOut(model.language.words, {
    back: backLink(model),
    action: addressOf(model, '/cancel'),
    token: model.token,
  })
}

/** The payment is unchanged, and the shop sees `status=pending`. */
export function backLink(model: PageModel): Html | undefined {
  const address = returnsTo(model)
  if (address === undefined) return undefined
  return html`<a class="back" href="${address}" rel="noreferrer">${sentence(model, 'returnTo')}</a>`
}

/** Two steps without a script: cancelling can't be undone. */
const drawWaysOut = drawAround(
  (words: Words, { back, action, token }: Holes<'back' | 'action' | 'token'>) =>
    html`<div class="ways-out">${back} <details class="cancel">
    <summary>${words.cancelAsk}</summary>
    <form method="post" action="${action}">
      <input type="hidden" name="token" value="${token}" />
      <p>${words.cancelExplain}</p>
      <button class="plain" type="submit">${words.cancelYes}</button>
    </form>
  </details></div>`,
)
