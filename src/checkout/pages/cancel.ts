import { html, type Html } from '../../http/html.ts'
import { addressOf, type PageModel } from '../page-model.ts'

/** Two steps without a script: cancelling can't be undone. */
export function cancelForm(model: PageModel): Html {
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
