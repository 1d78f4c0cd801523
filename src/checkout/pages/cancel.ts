import { html, type Html } from '../../http/html.ts'
import { addressOf, type Scene } from '../page-model.ts'

/** Two steps without a script: cancelling can't be undone. */
export function cancelForm(scene: Scene): Html {
  const { words } = scene.language
  return html`<details class="cancel">
    <summary>${words.cancelAsk}</summary>
    <form method="post" action="${addressOf(scene, '/cancel')}">
      <input type="hidden" name="token" value="${scene.token}" />
      <p>${words.cancelExplain}</p>
      <button class="plain" type="submit">${words.cancelYes}</button>
    </form>
  </details>`
}
