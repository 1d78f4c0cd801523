import { html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import { addressOf, type Scene } from '../page-model.ts'
import { frame } from './frame.ts'
import { mark } from './marks.ts'
import { drawLines } from './receipt.ts'
import { amountLine } from './summary.ts'

const refreshSeconds = 5

/** Nobody knows yet. This page never says that no money was taken. */
export function waitingPage(scene: Scene): Page {
  const { words } = scene.language
  const facts = [
    { label: 'payee', value: scene.view.merchantName },
    { label: 'orderReference', value: scene.view.payment.tx_ref },
  ] as const
  return frame(scene, {
    title: words.waitingTitle,
    isTest: scene.view.payment.mode === 'test',
    home: addressOf(scene),
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`,
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${addressOf(scene, '/state')}">
      ${mark('clock', 'calm')}
      <h1 id="waiting">${words.waitingTitle}</h1>
      ${amountLine(scene)}
      ${drawLines(facts, words)}
      <p><strong>${words.waitingOnce}</strong> ${words.waitingBody}</p>
      <p class="quiet">${words.waitingChecks}</p>
      <a class="plain button" href="${addressOf(scene)}">${words.checkNow}</a>
    </section>`,
  })
}
