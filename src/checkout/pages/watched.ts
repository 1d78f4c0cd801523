import { html, type Html } from '../../http/html.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { stageOf } from '../screens.ts'

/** On pages with a form: what the script needs to find out what became of one whose answer never came. */
export function watched(model: PageModel): Html {
  const { words } = model.language
  return html`data-stage="${stageOf(model)}" data-state="${addressOf(model, '/state')}" data-home="${addressOf(model)}" data-working="${words.working}" data-slow="${words.slow}" data-not-reached="${words.notReached}"`
}
