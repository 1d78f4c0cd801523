import { html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { fill } from '../language.ts'
import { addressOf, sentence, type PageModel } from '../page-model.ts'
import { mistakeOf } from '../parts/form-refused.ts'
import { bannerOf, frame } from '../parts/frame.ts'
import { ownField, problems } from '../parts/own-field.ts'
import { summary } from '../parts/summary.ts'
import { watched } from '../pages/watched.ts'
import { waysOut } from '../pages/ways-out.ts'

/** Before paying, where the shop sent no e-mail address: the receipt needs one. */
export function emailPage(model: PageModel): Page {
  const { wrongEmail: wrong } = model
  const { words } = model.language
  const title = sentence(model, 'payTitle')
  const mistakes = new Map(wrong && [['email', words[mistakeOf(wrong, 'email', wrong.typed)]]])
  return frame(model, {
    title: wrong ? fill(words.errorTitle, { title }) : title,
    isWide: true,
    ...bannerOf(model),
    watched: watched(model),
    home: addressOf(model),
    content: html`${summary(model)}
      <section class="card form" aria-labelledby="details">
        ${wrong && problems(words, mistakes)}
        <h2 id="details">${words.linkDetails}</h2>
        <form method="post" action="${addressOf(model, '/email')}" novalidate data-details>
          <input type="hidden" name="token" value="${model.token}" />
          ${ownField(words, { typed: new Map([['email', wrong?.typed ?? '']]) }, 'email', mistakes)}
          <button class="go" type="submit">${words.goOnToPayment}</button>
        </form>
        ${waysOut(model)}
      </section>`,
  })
}
