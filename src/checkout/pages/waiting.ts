import { html, type Html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import { addressOf, returnedAddressOf, say, type PageModel } from '../page-model.ts'
import { bannerOf, frame } from './frame.ts'
import { mark } from './marks.ts'
import { drawLines } from './receipt.ts'
import { amountLine } from './summary.ts'

const refreshSeconds = 5

/** Nobody knows yet. This page never says that no money was taken. */
export function waitingPage(model: PageModel): Page {
  const { words } = model.language
  const isHeld = model.view.lastAttempt?.state === 'held'
  const title = isHeld ? words.heldTitle : words.waitingTitle
  const asks = model.returned ? returnedAddressOf(model, '/state') : addressOf(model, '/state')
  const facts = [
    { label: 'payee', value: model.view.merchantName },
    { label: 'orderReference', value: model.view.payment.tx_ref },
  ] as const
  return frame(model, {
    title,
    ...bannerOf(model),
    home: addressOf(model),
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`,
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${asks}">
      ${mark('clock', 'calm')}
      <h1 id="waiting">${title}</h1>
      ${amountLine(model)}
      ${drawLines(facts, words)}
      <p><strong>${words.waitingOnce}</strong> ${isHeld ? say(model, 'heldBody') : words.waitingBody}</p>
      ${!isHeld && html`<p class="quiet">${words.waitingChecks}</p>`}
      ${!isHeld && ways(model)}
    </section>`,
  })
}

/** Who came back from a network's page without paying there is not kept waiting. */
function ways(model: PageModel): Html {
  const { words } = model.language
  if (!model.returned || model.view.lastAttempt?.state !== 'action_required') {
    return html`<a class="plain button" href="${addressOf(model)}">${words.checkNow}</a>`
  }
  return html`<a class="plain button" href="${returnedAddressOf(model)}">${words.checkNow}</a>
    <a class="link" href="${addressOf(model)}">${words.notPaidYet}</a>`
}
