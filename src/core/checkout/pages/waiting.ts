import { html, type Html } from '../../../platform/http/html.ts'
import type { Page } from '../../../platform/http/page.ts'
import { isolate } from '../../../platform/input/isolate.ts'
import {
  addressOf,
  doneAddressOf,
  looksAddressOf,
  returnedAddressOf,
  sentence,
  type PageModel,
} from '../page-model.ts'
import { bannerOf, frame } from '../parts/frame.ts'
import { mark } from '../parts/marks.ts'
import { drawLines, referenceLine } from './receipt.ts'
import { maskedEmail } from '../parts/shop/mail-note.ts'
import { amountLine } from '../parts/summary.ts'
import { backLink } from './ways-out.ts'

// Without a script the page loads itself again: soon at first, as most are decided then; later seldom enough to read it, or to
// reach the link that stops it (WCAG 2.2.1). After some five minutes it rests.
const soonLooks = 3
const soonSeconds = 5
const laterSeconds = 20
const looksMax = 17

/** Nobody knows yet. This page never says that no money was taken. */
export function waitingPage(model: PageModel): Page {
  if (isOpening(model)) return openingPage(model)
  if (model.takesDays && model.view.lastAttempt?.state === 'submitted') return daysPage(model)
  const { words } = model.language
  const isHeld = model.view.lastAttempt?.state === 'held'
  const title = isHeld ? words.heldTitle : words.waitingTitle
  const asks = model.returned ? returnedAddressOf(model, '/state') : addressOf(model, '/state')
  const facts = [{ label: 'payee', value: model.view.merchantName }, referenceLine(model)] as const
  return frame(model, {
    title,
    ...bannerOf(model),
    home: addressOf(model),
    ...(!isHeld && refresh(model, '/done')),
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${asks}">
      ${mark('clock', 'calm')}
      <h1 id="waiting">${title}</h1>
      ${amountLine(model)}
      ${drawLines(facts, words)}
      <p><strong>${words.waitingOnce}</strong> ${isHeld ? sentence(model, 'heldBody') : words.waitingBody}</p>
      ${!isHeld && checks(model, '')} ${!isHeld && ways(model)} ${model.view.payment.state === 'pending' && backLink(model)}
    </section>`,
  })
}

/** The customer has done their part, and the money takes days. Nobody waits for that on a page. */
function daysPage(model: PageModel): Page {
  const { words } = model.language
  const { mode, email } = model.view.payment
  const facts = [{ label: 'payee', value: model.view.merchantName }, referenceLine(model)] as const
  const isMailed = mode === 'live' && model.sendsMail === true
  const address = isolate(maskedEmail(email), model.language.direction)
  return frame(model, {
    title: words.daysTitle,
    ...bannerOf(model),
    home: addressOf(model),
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${addressOf(model, '/state')}">
      ${mark('forward', 'calm')}
      <h1 id="waiting">${words.daysTitle}</h1>
      ${amountLine(model)}
      ${drawLines(facts, words)}
      <p>${sentence(model, 'daysBody')} <strong>${words.waitingOnce}</strong></p>
      <p>${isMailed ? sentence(model, 'daysMail', { address }) : words.daysCheck}</p>
      ${model.view.payment.state === 'pending' && backLink(model)}
    </section>`,
  })
}

/** The network's page is being made: nothing can be paid yet, so nothing is being processed. */
function isOpening({ view }: PageModel): boolean {
  const last = view.lastAttempt
  return view.payment.state === 'pending' && last?.state === 'started' && last.hosted !== undefined
}

function openingPage(model: PageModel): Page {
  const { words } = model.language
  const leads = addressOf(model, '/away')
  return frame(model, {
    title: words.openingTitle,
    ...bannerOf(model),
    home: addressOf(model),
    ...refresh(model, '/away'),
    content: html`<section class="card sheet" aria-labelledby="waiting" data-waiting="${addressOf(model, '/state')}" data-then="${leads}">
      ${mark('forward', 'calm')}
      <h1 id="waiting">${words.openingTitle}</h1>
      ${amountLine(model)}
      <p><strong>${words.noMoneyTaken}</strong> ${words.openingBody}</p>
      ${checks(model, '/away')}
      <a class="plain button" href="${leads}">${words.awayGo}</a>
      ${backLink(model)}
    </section>`,
  })
}

function isResting({ looks = 0 }: PageModel): boolean {
  return looks === 'off' || looks >= looksMax
}

/** `verb`: what leads on as soon as there is somewhere to go, and here until then. */
function refresh(model: PageModel, verb: string): { readonly head?: Html } {
  const { looks = 0 } = model
  if (looks === 'off' || isResting(model)) return {}
  const seconds = looks < soonLooks ? soonSeconds : laterSeconds
  const again = `${seconds};url=${looksAddressOf(model, looks + 1, verb)}`
  return { head: html`<noscript><meta http-equiv="refresh" content="${again}" /></noscript>` }
}

/** What the page does automatically: with the script, which shows its own sentence, and without. */
function checks(model: PageModel, verb: string): Html {
  const { words } = model.language
  const withoutScript = isResting(model)
    ? html`<p class="quiet">${words.waitingStopped}</p>`
    : html`<p class="quiet">${words.waitingLoads}</p>
        <p><a href="${looksAddressOf(model, 'off', verb)}">${words.waitingStop}</a></p>`
  return html`<p class="quiet" data-checks hidden>${words.waitingChecks}</p>
    <noscript>${withoutScript}</noscript>`
}

/** A customer back from a network's page without paying isn't kept waiting. */
function ways(model: PageModel): Html {
  const { words } = model.language
  if (!model.returned || model.view.lastAttempt?.state !== 'action_required') {
    return html`<a class="plain button" href="${doneAddressOf(model)}">${words.checkNow}</a>`
  }
  return html`<a class="plain button" href="${returnedAddressOf(model, '/done')}">${words.checkNow}</a>
    <a class="link" href="${addressOf(model)}">${words.notPaidYet}</a>`
}
