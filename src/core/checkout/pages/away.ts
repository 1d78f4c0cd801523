import { html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { fill } from '../language.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { bannerOf, frame } from '../parts/frame.ts'
import { mark } from '../parts/marks.ts'
import { amountLine } from '../parts/summary.ts'

/** Leads on to the network's own page: by the script, which leaves nothing to go back to, or by a refresh without it. */
export function awayPage(model: PageModel, url: string): Page {
  const { words } = model.language
  const host = new URL(url).host
  return frame(model, {
    title: words.awayTitle,
    ...bannerOf(model),
    home: addressOf(model),
    head: html`<noscript><meta http-equiv="refresh" content="0;url=${url}" /></noscript>`,
    content: html`<section class="card sheet" aria-labelledby="away">
      ${mark('forward', 'calm')}
      <h1 id="away">${words.awayTitle}</h1>
      ${amountLine(model)}
      <p>${fill(words.awayBody, { host })}</p>
      <a class="go button" href="${url}" rel="noreferrer" data-away>${words.awayGo}</a>
    </section>`,
  })
}
