import { html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { frame } from './frame.ts'
import { mark } from './marks.ts'
import { drawLines } from './receipt.ts'
import { amountLine } from './summary.ts'

const refreshSeconds = 5

/** Nobody knows yet. This page never says that no money was taken. */
export function waitingPage(model: PageModel): Page {
  const { words } = model.language
  const facts = [
    { label: 'payee', value: model.view.merchantName },
    { label: 'orderReference', value: model.view.payment.tx_ref },
  ] as const
  return frame(model, {
    title: words.waitingTitle,
    isTest: model.view.payment.mode === 'test',
    home: addressOf(model),
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`,
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${addressOf(model, '/state')}">
      ${mark('clock', 'calm')}
      <h1 id="waiting">${words.waitingTitle}</h1>
      ${amountLine(model)}
      ${drawLines(facts, words)}
      <p><strong>${words.waitingOnce}</strong> ${words.waitingBody}</p>
      <p class="quiet">${words.waitingChecks}</p>
      <a class="plain button" href="${addressOf(model)}">${words.checkNow}</a>
    </section>`,
  })
}
