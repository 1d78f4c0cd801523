import { drawAround, html, type Holes, type Html } from '../../../platform/http/html.ts'
import type { Words } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { stageOf } from '../screens.ts'

/** On pages with a form: what the script needs to find out what became of one whose answer never came. */
export function watched(model: PageModel): Html {
  return drawWatched(model.language.words, {
    stage: stageOf(model),
    state: addressOf(model, '/state'),
    home: addressOf(model),
  })
}

const drawWatched = drawAround(
  (words: Words, { stage, state, home }: Holes<'stage' | 'state' | 'home'>) =>
    html`data-stage="${stage}" data-state="${state}" data-home="${home}" data-working="${words.working}" data-slow="${words.slow}" data-not-reached="${words.notReached}"`,
)
