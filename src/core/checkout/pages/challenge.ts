import { html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { frame } from '../parts/frame.ts'
import { amountLine } from '../parts/summary.ts'
import { cardLine, drawLines, type ReceiptLine } from './receipt.ts'
import { watched } from './watched.ts'

/** The 3-D Secure page of the test network: approve, refuse, take another card, or walk away. */
export function challengePage(model: PageModel): Page {
  const { words } = model.language
  const attempt = model.view.lastAttempt
  const card = cardLine(model)
  const facts: ReceiptLine[] = [{ label: 'payee', value: model.view.merchantName }]
  if (card !== undefined) facts.push({ label: 'card', value: card, isOurs: true })
  return frame(model, {
    title: words.challengeTitle,
    isTest: true,
    watched: watched(model),
    home: addressOf(model),
    content: html`<section class="card sheet bank" aria-labelledby="challenge">
      <p class="bank-name">${words.challengeBank}</p>
      <h1 id="challenge">${words.challengeTitle}</h1>
      ${amountLine(model)}
      ${drawLines(facts, words)}
      <p class="quiet">${words.challengeBody}</p>
      <form method="post" action="${addressOf(model, '/challenge')}" class="choices" data-once data-stays>
        <input type="hidden" name="token" value="${model.token}" />
        <input type="hidden" name="attempt" value="${attempt?.attempt}" />
        <button class="go" type="submit" name="answer" value="approve">
          <span>${words.challengeApprove}</span>
        </button>
        <button class="plain" type="submit" name="answer" value="refuse">
          <span>${words.challengeRefuse}</span>
        </button>
        <button class="link" type="submit" name="answer" value="other_card">
          <span>${words.challengeOtherCard}</span>
        </button>
      </form>
      <p class="quiet small">${words.challengeWalkAway}</p>
    </section>`,
  })
}
