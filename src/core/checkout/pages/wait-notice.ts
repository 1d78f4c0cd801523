import { html, type Html } from '../../../platform/http/html.ts'
import { displayWait } from '../language.ts'
import { sentence, type PageModel } from '../page-model.ts'

// Why the customer can't pay right now, and when they can.

export function waitNotice(model: PageModel): Html {
  const { words } = model.language
  const isPause = model.wait?.isPause === true
  return html`<div class="problem" id="wait" tabindex="-1" role="group" aria-labelledby="wait-heading">
    <h2 id="wait-heading">${isPause ? words.pauseTitle : words.waitTitle}</h2>
    <p><strong>${words.noMoneyTaken}</strong> ${waitLine(model)}</p>
  </div>`
}

/** The script announces it again when the wait is over. */
export function waitLine(model: PageModel): Html | undefined {
  const { wait, language } = model
  if (!wait) return undefined
  const when = displayWait(wait.until.getTime() - model.now.getTime(), language)
  const key = wait.isPause === true ? 'pauseBody' : 'waitBody'
  return html`<span id="wait-line" role="status" data-over="${language.words.waitOver}">${sentence(model, key, { when })}</span>`
}

/** Seconds that the button rests where there is a script; a proof needs none, as the script finds it in less time. */
export function waitSeconds({ wait, now }: PageModel): number | undefined {
  if (!wait || wait.isPause === true) return undefined
  return Math.max(1, Math.ceil((wait.until.getTime() - now.getTime()) / 1_000))
}
