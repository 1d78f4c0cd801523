import { html, type Html } from '../../http/html.ts'
import type { Page } from '../../http/page.ts'
import type { Words } from '../language.ts'
import { hasReceiptPdf } from '../receipt/receipt-pdf.ts'
import { addressOf, isFresh, returnsTo, say, stayAddressOf, type PageModel } from '../page-model.ts'
import type { Screen } from '../screens.ts'
import { bannerOf, frame } from './frame.ts'
import { mark } from './marks.ts'
import { drawLines, receiptLines } from './receipt.ts'
import { amountLine } from './summary.ts'

// The ends of a payment: the receipt, and the pages that say why there is none.

const returnSeconds = 8
// Longer without the script: the only way to stay is a link, and the customer has to find and read it first.
const refreshSeconds = 20

export function paidPage(model: PageModel): Page {
  const { words } = model.language
  return result(model, 'paidTitle', {
    movesOn: true,
    content: html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('tick', 'good')}
      <h1 id="result">${words.paidTitle}</h1>
      ${amountLine(model)} ${receiptBody(model)} ${receiptTools(model)}
    </section>`,
  })
}

type MoneyBack = Extract<Screen, 'refunded' | 'reversed'>

const backs: Readonly<Record<MoneyBack, { title: keyof Words; body: keyof Words }>> = {
  refunded: { title: 'refundedTitle', body: 'refundedBody' },
  reversed: { title: 'reversedTitle', body: 'reversedBody' },
}

export function moneyBackPage(model: PageModel, screen: MoneyBack): Page {
  const { title, body } = backs[screen]
  return result(model, title, {
    movesOn: false,
    content: html`<section class="card sheet receipt" aria-labelledby="result">
      ${mark('back', 'calm')}
      <h1 id="result">${model.language.words[title]}</h1>
      ${amountLine(model)}
      <p>${say(model, body)}</p>
      ${receiptBody(model)} ${receiptTools(model)}
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

export function endedPage(model: PageModel, screen: Ended): Page {
  const { words } = model.language
  const { title, body, drawing } = ends[screen]
  const facts = [
    { label: 'amount', value: model.amount },
    { label: 'orderReference', value: model.view.payment.tx_ref },
  ] as const
  return result(model, title, {
    movesOn: screen === 'cancelled' || screen === 'failed',
    content: html`<section class="card sheet" aria-labelledby="result">
      ${drawing}
      <h1 id="result">${words[title]}</h1>
      <p>${say(model, screen === 'unavailable' && model.offered?.amountOutOfRange ? 'unavailableAmount' : body)} <strong>${words.noMoneyTaken}</strong></p>
      <p>${say(model, screen === 'unavailable' ? 'unavailableNext' : 'startAgain')}</p>
      ${drawLines(facts, words)}
      ${wayBack(model, screen === 'cancelled' || screen === 'failed')}
    </section>`,
  })
}

function receiptBody(model: PageModel): Html {
  const { words } = model.language
  const isTest = model.view.payment.mode === 'test'
  return html`${drawLines(receiptLines(model), words)}
  ${isTest && html`<p class="test-note">${words.testReceipt}</p>`}
  ${wayBack(model, model.view.payment.state === 'success')}`
}

/** The script sends the customer on after a moment, unless told to stay; without the script, a meta refresh does. */
function wayBack(model: PageModel, movesOn: boolean): Html | undefined {
  const address = returnsTo(model)
  if (address === undefined) return undefined
  const sends = movesOn && isSentOn(model)
  return html`<div class="way-back">
    <a class="go button" href="${address}" rel="noreferrer" ${sends && waiting}>${say(model, 'returnTo')}</a>
    ${sends && returnNotice(model)}
  </div>`
}

const waiting = html`data-return-after="${returnSeconds}"`

function returnNotice(model: PageModel): Html {
  const { words } = model.language
  return html`<p class="quiet small returning" id="returning" role="status" hidden>
      ${words.returning} <button class="link" type="button" id="stay">${words.stay}</button>
    </p>
    <noscript>
      <p class="quiet small returning">
        ${words.returning} <a class="link" href="${stayAddressOf(model)}">${words.stay}</a>
      </p>
    </noscript>`
}

function isSentOn(model: PageModel): boolean {
  return isFresh(model) && !model.stays
}

function receiptTools(model: PageModel): Html {
  const { words } = model.language
  return html`<div class="tools">
    ${
      hasReceiptPdf(model) &&
      html`<a class="plain button" href="${pdfAddress(model)}" download>${words.downloadPdf}</a>`
    }
    <button class="plain" type="button" id="print" hidden>${words.print}</button>
  </div>`
}

/** An old receipt that was opened stays open in another language. */
function homeOf(model: PageModel): string {
  return model.receiptProof === undefined
    ? addressOf(model)
    : addressOf(model, `/receipt/${model.receiptProof}`)
}

function pdfAddress(model: PageModel): string {
  const address = addressOf(model, '/receipt.pdf')
  if (model.receiptProof === undefined) return address
  return `${address}${model.isChosen ? '&' : '?'}proof=${model.receiptProof}`
}

function result(model: PageModel, title: keyof Words, drawn: { movesOn: boolean; content: Html }): Page {
  const address = drawn.movesOn && isSentOn(model) ? returnsTo(model) : undefined
  return frame(model, {
    title: model.language.words[title],
    ...bannerOf(model),
    isOver: true,
    home: homeOf(model),
    content: drawn.content,
    ...(address !== undefined && {
      head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds};url=${address}" /></noscript>`,
    }),
  })
}
