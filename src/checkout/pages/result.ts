import { html, type Html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import type { Words } from '../language.ts'
import { hasReceiptPdf } from '../receipt-pdf.ts'
import { addressOf, isFresh, returnsTo, say, stayAddressOf, type Scene } from '../page-model.ts'
import type { Screen } from '../screens.ts'
import { frame } from './frame.ts'
import { mark } from './marks.ts'
import { drawLines, receiptLines } from './receipt.ts'
import { amountLine } from './summary.ts'

// The ends of a payment: the receipt, and the pages that say why there is none.

const returnSeconds = 8
// Without the script nothing can call it off but a link, which has to be read first.
const refreshSeconds = 20

export function paidPage(scene: Scene): Page {
  const { words } = scene.language
  return result(scene, 'paidTitle', {
    movesOn: true,
    content: html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('tick', 'good')}
      <h1 id="result">${words.paidTitle}</h1>
      ${amountLine(scene)} ${receiptBody(scene)} ${receiptTools(scene)}
    </section>`,
  })
}

type MoneyBack = Extract<Screen, 'refunded' | 'reversed'>

const backs: Readonly<Record<MoneyBack, { title: keyof Words; body: keyof Words }>> = {
  refunded: { title: 'refundedTitle', body: 'refundedBody' },
  reversed: { title: 'reversedTitle', body: 'reversedBody' },
}

export function moneyBackPage(scene: Scene, screen: MoneyBack): Page {
  const { title, body } = backs[screen]
  return result(scene, title, {
    movesOn: false,
    content: html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('back', 'calm')}
      <h1 id="result">${scene.language.words[title]}</h1>
      ${amountLine(scene)}
      <p>${say(scene, body)}</p>
      ${receiptBody(scene)} ${receiptTools(scene)}
    </section>`,
  })
}

type Ended = Extract<Screen, 'cancelled' | 'expired' | 'failed' | 'unavailable'>

const ends: Readonly<Record<Ended, { title: keyof Words; body: keyof Words; drawing: Html }>> = {
  cancelled: { title: 'cancelledTitle', body: 'cancelledBody', drawing: mark('dash', 'calm') },
  expired: { title: 'expiredTitle', body: 'expiredBody', drawing: mark('clock', 'calm') },
  failed: { title: 'failedTitle', body: 'failedBody', drawing: mark('cross', 'bad') },
  unavailable: { title: 'unavailableTitle', body: 'unavailableBody', drawing: mark('dash', 'warn') },
}

export function endedPage(scene: Scene, screen: Ended): Page {
  const { words } = scene.language
  const { title, body, drawing } = ends[screen]
  const facts = [
    { label: 'amount', value: scene.amount },
    { label: 'orderReference', value: scene.view.payment.tx_ref },
  ] as const
  return result(scene, title, {
    movesOn: screen === 'cancelled' || screen === 'failed',
    content: html`<section class="card sheet" aria-labelledby="result">
      ${drawing}
      <h1 id="result">${words[title]}</h1>
      <p>${say(scene, body)} <strong>${words.noMoneyTaken}</strong></p>
      <p>${say(scene, screen === 'unavailable' ? 'unavailableNext' : 'startAgain')}</p>
      ${drawLines(facts, words)}
      ${wayBack(scene, screen === 'cancelled' || screen === 'failed')}
    </section>`,
  })
}

function receiptBody(scene: Scene): Html {
  const { words } = scene.language
  const isTest = scene.view.payment.mode === 'test'
  return html`${drawLines(receiptLines(scene), words)}
  ${isTest && html`<p class="test-note">${words.testReceipt}</p>`}
  ${wayBack(scene, scene.view.payment.state === 'success')}`
}

/** The script sends the customer on after a moment, unless told to stay; without it the browser does. */
function wayBack(scene: Scene, movesOn: boolean): Html | undefined {
  const address = returnsTo(scene)
  if (address === undefined) return undefined
  const sends = movesOn && isSentOn(scene)
  return html`<div class="way-back">
    <a class="go button" href="${address}" rel="noreferrer" ${sends && waiting}>${say(scene, 'returnTo')}</a>
    ${sends && returnNotice(scene)}
  </div>`
}

const waiting = html`data-return-after="${returnSeconds}"`

function returnNotice(scene: Scene): Html {
  const { words } = scene.language
  return html`<p class="quiet small returning" id="returning" role="status" hidden>
      ${words.returning} <button class="link" type="button" id="stay">${words.stay}</button>
    </p>
    <noscript>
      <p class="quiet small returning">
        ${words.returning} <a class="link" href="${stayAddressOf(scene)}">${words.stay}</a>
      </p>
    </noscript>`
}

function isSentOn(scene: Scene): boolean {
  return isFresh(scene) && !scene.stays
}

function receiptTools(scene: Scene): Html {
  const { words } = scene.language
  return html`<div class="tools">
    ${
      hasReceiptPdf(scene) &&
      html`<a class="plain button" href="${addressOf(scene, '/receipt.pdf')}" download>${words.downloadPdf}</a>`
    }
    <button class="plain" type="button" id="print" hidden>${words.print}</button>
  </div>`
}

function result(scene: Scene, title: keyof Words, drawn: { movesOn: boolean; content: Html }): Page {
  const address = drawn.movesOn && isSentOn(scene) ? returnsTo(scene) : undefined
  return frame(scene, {
    title: scene.language.words[title],
    isTest: scene.view.payment.mode === 'test',
    isOver: true,
    home: addressOf(scene),
    content: drawn.content,
    ...(address !== undefined && {
      head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds};url=${address}" /></noscript>`,
    }),
  })
}
