import { drawOnce, html, type Html } from '../../http/html.ts'
import type { Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { stageOf } from '../screens.ts'

/** On pages with a form: what the script needs to find out what became of one whose answer never came. */
export function watched(model: PageModel): Html {
  return html`data-stage="${stageOf(model)}" data-state="${addressOf(model, '/state')}" data-home="${addressOf(model)}" ${watchWords(model.language.words)}`
}

const watchWords = drawOnce(
  (words: Words) =>
    html`data-working="${words.working}" data-slow="${words.slow}" data-not-reached="${words.notReached}"`,
)
